package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and directories that nobody but the owner of the process may use, where the system knows rights. Stateless. */
final class OwnerOnly {
    private OwnerOnly() {}

    static void createFile(Path file) throws IOException {
        Files.createFile(file, rights(file, "rw-------"));
    }

    static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, rights(directory, "rwx------"));
    }

    private static FileAttribute<?>[] rights(Path path, String rights) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }
}
