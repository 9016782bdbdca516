package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files and directories that only the user of this process may access, on systems with POSIX permissions.
 * Stateless.
 */
final class BulkFilePermissions {
    private BulkFilePermissions() {}

    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, permissions(directory, "rwx------"));
    }

    static FileChannel openFile(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, permissions(file, "rw-------"));
    }

    /** Whether the file system of {@code path} has POSIX permissions. */
    static boolean supportsPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] permissions(Path path, String permissions) {
        return supportsPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
