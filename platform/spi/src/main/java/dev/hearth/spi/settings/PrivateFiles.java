package dev.hearth.spi.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Rule for files with secrets: only their owner may access them. A file of root may also be readable by its group, which
 * is how a container gets a secret that its user does not own. No other class decides this.
 */
public final class PrivateFiles {
    /** The rule, for messages. */
    public static final String RULE = "mode 0600, or a file of root with mode 0640";

    private static final String USER_ID = "unix:uid";
    private static final int ROOT = 0;

    private PrivateFiles() {}

    /**
     * Whether {@code file} obeys the rule, as far as its file system reports permissions. True for a missing file,
     * because reading it later fails with the reason.
     */
    public static boolean isPrivate(Path file) {
        try {
            if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
                return true;
            }
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
            return rights.stream().allMatch(right -> isOfOwner(right) || isReadByGroupOfRoot(right, file));
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static boolean isOfOwner(PosixFilePermission right) {
        return right.name().startsWith("OWNER_");
    }

    private static boolean isReadByGroupOfRoot(PosixFilePermission right, Path file) {
        // root itself can write the file, and needs no group to read it
        return right == PosixFilePermission.GROUP_READ && !Files.isWritable(file) && isOfRoot(file);
    }

    private static boolean isOfRoot(Path file) {
        try {
            return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                    && Files.getAttribute(file, USER_ID).equals(ROOT);
        } catch (IOException unknown) {
            return false;
        }
    }
}
