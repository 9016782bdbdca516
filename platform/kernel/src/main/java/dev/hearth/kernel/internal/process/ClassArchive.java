package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class data archive that the start script has checked, for use by child processes. Java crashes on a damaged archive,
 * therefore a child gets it only while the file is unchanged since this process started. Immutable.
 */
record ClassArchive(
        Path file, long size, FileTime modified, @Nullable Object fileKey) {
    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

    /** Returns the archive at {@code path} as it is now; empty if {@code path} is null or no such file exists. */
    static Optional<ClassArchive> at(@Nullable String path) {
        return path == null ? Optional.empty() : read(Path.of(path));
    }

    /**
     * Whether the archive is still the one that the start script has checked. Logs a warning if it was changed or
     * removed.
     */
    boolean isUnchanged() {
        if (read(file).filter(this::equals).isPresent()) {
            return true;
        }
        LOG.warn(
                "class archive {}: changed or removed since this process started (expected: neither); child processes"
                        + " start without it, until this process is restarted",
                file);
        return false;
    }

    private static Optional<ClassArchive> read(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new ClassArchive(file, found.size(), found.lastModifiedTime(), found.fileKey()));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }
}
