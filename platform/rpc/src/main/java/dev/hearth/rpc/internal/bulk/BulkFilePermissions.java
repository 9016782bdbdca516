package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes files and directories that nobody but the owner of the process may use, where the system knows rights. Stateless. */
final class BulkFilePermissions {
    private BulkFilePermissions() {}

    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, rights(directory, "rwx------"));
    }

    static FileChannel openFile(Path file, Set<? extends OpenOption> options) throws IOException {
        return FileChannel.open(file, options, rights(file, "rw-------"));
    }

    /** Whether the system that {@code path} is on has the rights of POSIX. */
    static boolean knowsRights(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] rights(Path path, String rights) {
        return knowsRights(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }
}
