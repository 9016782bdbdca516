package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Creates files and directories that only the user of this process can access. On file systems without POSIX
 * permissions, the defaults of the system apply. Stateless.
 */
public final class OwnerOnlyFiles {
    private OwnerOnlyFiles() {}

    static void createFile(Path file) throws IOException {
        Files.createFile(file, rights(file, "rw-------"));
    }

    public static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, rights(directory, "rwx------"));
    }

    /** Returns whether {@code directory} belongs to the user of this process, and no other user may write to it. */
    public static boolean isOurs(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return true;
        }
        PosixFileAttributes found =
                Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Path probe = Files.createTempFile(directory, "owner-", "");
        try {
            return found.owner().equals(Files.getOwner(probe))
                    && !found.permissions().contains(PosixFilePermission.GROUP_WRITE)
                    && !found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
        } finally {
            Files.delete(probe);
        }
    }

    private static FileAttribute<?>[] rights(Path path, String rights) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }
}
