package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The archive of this installation, which all containers get. Blocks. */
final class PlatformFile {
    /** Roles of processes in containers. */
    static final Set<String> ROLES = Set.of("driver", "executor", "am");

    private PlatformFile() {}

    /** Stages the archive for {@code nodes} nodes, unless the settings name one that is on the cluster already. */
    static ContainerFile stage(ApplicationStaging files, StagingSettings settings, Installation installation, int nodes)
            throws IOException {
        if (settings.platformArchive().isPresent()) {
            return files.platformAt(settings.platformArchive().get());
        }
        Path archive = Files.createTempFile("hearth-platform", ".tar");
        try {
            ContentId content = installation.archive(ROLES, archive);
            return files.platform(archive, content, nodes);
        } finally {
            Files.deleteIfExists(archive);
        }
    }
}
