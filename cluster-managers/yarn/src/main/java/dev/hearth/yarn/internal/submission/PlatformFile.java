package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Archives of this installation and of its classes, which all containers get. Blocks. */
final class PlatformFile {
    /** Roles of processes in containers. */
    static final Set<String> ROLES = Set.of("driver", "executor", "am");

    private PlatformFile() {}

    /**
     * Stages the archives for {@code nodes} nodes, unless the settings name one of the installation that is on the cluster
     * already; its jars may differ from those of this installation, of whose classes there is an archive.
     */
    static List<ContainerFile> stage(
            ApplicationStaging files, StagingSettings settings, Installation installation, int nodes)
            throws IOException {
        if (settings.platformArchive().isPresent()) {
            return List.of(files.platformAt(settings.platformArchive().get()));
        }
        List<ContainerFile> staged = new ArrayList<>();
        Path otherwise = Files.createTempFile("hearth-platform", ".tar.gz");
        try {
            staged.add(files.platform(installation.compressed(ROLES, otherwise), nodes));
        } finally {
            Files.deleteIfExists(otherwise);
        }
        Optional<PackedFile> classes = installation.classes();
        if (classes.isPresent()) {
            staged.add(files.classes(classes.get(), nodes));
        }
        return staged;
    }
}
