package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.line.ContainerFile.Visibility;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.store.FileVisibility;
import dev.hearth.yarn.internal.store.StagingStore;
import dev.hearth.yarn.internal.store.StoredContent;
import dev.hearth.yarn.internal.store.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Store of a site, which an administrator fills with the installation for all users. Blocks. Immutable. */
public record SharedStore(YarnSession session, StagingSettings settings, Installation installation) {
    private static final int FOR_ALL = 0755;
    private static final int OTHERS_ENTER = 0001;

    /**
     * Puts the installation into {@code directory}, unless it is there, and returns where it is. Fails with {@code
     * BAD_ARGUMENT} if not everybody can read it there.
     */
    public StoredContent prepare(String directory, String queue, Consumer<String> warnings) throws IOException {
        Optional<StoredFile> found = session.files().look(directory);
        if (found.isEmpty()) {
            session.files().directory(directory, FOR_ALL);
        } else if ((found.get().permissions() & OTHERS_ENTER) == 0) {
            throw closed(directory);
        }
        StagingStore store = new StagingStore(
                session.files(), directory, () -> UUID.randomUUID().toString(), warnings);
        int replication = ApplicationStaging.platformReplication(
                settings, session.cluster().facts(queue).nodes());
        Path otherwise = Files.createTempFile("hearth-platform", ".tar.gz");
        try {
            PackedFile packed = installation.compressed(PlatformFile.ROLES, otherwise);
            Path archive = packed.file();
            StoredContent stored = store.put(
                    packed.content(),
                    ApplicationStaging.PLATFORM_NAME,
                    Files.size(archive),
                    replication,
                    () -> Files.newInputStream(archive));
            if (new FileVisibility(session.files()).of(stored.path()) != Visibility.PUBLIC) {
                throw closed(directory);
            }
            return stored;
        } finally {
            Files.deleteIfExists(otherwise);
        }
    }

    private static RuntimeException closed(String directory) {
        return ErrorCode.BAD_ARGUMENT.failure("directory " + directory
                + ": not all users can enter it and those above it (expected: mode 755 on each); change the mode, or name"
                + " another directory");
    }
}
