package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of one application below a local directory. Beside the directory is a lock file. The process keeps it
 * locked from before the directory is created until after the directory is removed. If a process is killed, its locks
 * are released, but its directories remain. A new process tries the locks of the other directories, and removes each
 * directory whose lock it obtains. Guarded by its {@link LocalDirectory}.
 */
final class ProcessDirectory {
    /**
     * Number of sub-directories. Files are spread over them, so that no sub-directory has too many. Each is created on
     * demand.
     */
    static final int FANOUT = 64;

    // names to try, because another process may delete a new lock file before it is locked
    private static final int NAMES_MAX = 16;
    private static final String PREFIX = "hearth-";
    private static final String LOCK = ".lock";
    private static final Pattern LOCK_NAME = Pattern.compile("hearth-\\d+-[0-9a-z]+-[0-9a-f]{1,16}\\.lock");
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectory.class);

    private final Path directory;
    private final Path lockFile;
    private final @Nullable RandomAccessFile lock; // null if another process removes the directory

    private ProcessDirectory(Path directory, Path lockFile, @Nullable RandomAccessFile lock) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Creates a directory below {@code base}, and also {@code base} if it is missing. {@code token} is a number that
     * distinguishes the directory from others of this process.
     */
    static ProcessDirectory create(Path base, long token) throws IOException {
        Files.createDirectories(base);
        for (int n = 0; n < NAMES_MAX; n++) {
            String name = PREFIX + process() + Long.toHexString(token + n);
            Path lockFile = base.resolve(name + LOCK);
            RandomAccessFile lock = tryToLock(lockFile);
            if (lock == null) {
                continue;
            }
            try {
                removeLeftovers(base, Files.getOwner(lockFile, LinkOption.NOFOLLOW_LINKS));
                OwnerOnlyFiles.createDirectory(base.resolve(name));
                return new ProcessDirectory(base.resolve(name), lockFile, lock);
            } catch (IOException | RuntimeException failure) {
                release(lockFile, lock);
                throw failure;
            }
        }
        throw new IOException("no lock file could be created");
    }

    /**
     * Creates a directory below {@code base}, which another process owns. It has no lock and outlives this process; the
     * owner removes it.
     */
    static ProcessDirectory lent(Path base, long token) throws IOException {
        Path directory = base.resolve(PREFIX + process() + Long.toHexString(token));
        OwnerOnlyFiles.createDirectory(directory);
        return new ProcessDirectory(directory, directory, null);
    }

    /**
     * Prefix of directory names that identifies this process. It is unique even among containers that reuse process
     * ids.
     */
    private static String process() {
        ProcessHandle self = ProcessHandle.current();
        long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return self.pid() + "-" + Long.toString(start, Character.MAX_RADIX) + "-";
    }

    private static @Nullable RandomAccessFile tryToLock(Path file) throws IOException {
        try {
            OwnerOnlyFiles.createFile(file);
        } catch (FileAlreadyExistsException taken) {
            return null; // another application of this process has taken this name
        }
        RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
        boolean ours = false;
        try {
            // Another process may have deleted the new file before it was locked, because it looked unused: try another
            // name.
            FileLock lock = open.getChannel().tryLock();
            ours = lock != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            return ours ? open : null;
        } finally {
            if (!ours) {
                open.close();
                Files.deleteIfExists(file);
            }
        }
    }

    private static void release(Path file, RandomAccessFile lock) throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            lock.close();
        }
    }

    private static void removeLeftovers(Path base, UserPrincipal user) {
        String own = PREFIX + process();
        try (var files = Files.newDirectoryStream(base, PREFIX + "*" + LOCK)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                // Skip the lock files of this process: closing a second handle on a file would release the lock that
                // the process holds.
                if (LOCK_NAME.matcher(name).matches() && !name.startsWith(own)) {
                    removeIfLeft(file, user);
                }
            }
        } catch (IOException | RuntimeException failure) {
            LOG.warn("Local directory {}: leftovers of other processes cannot be listed", base, failure);
        }
    }

    private static void removeIfLeft(Path lockFile, UserPrincipal user) {
        String name = lockFile.getFileName().toString();
        Path directory = lockFile.resolveSibling(name.substring(0, name.length() - LOCK.length()));
        try {
            if (!belongs(lockFile, user) || !Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)) {
                return; // the file is of another user, whose processes may remove it
            }
            try (RandomAccessFile lock = new RandomAccessFile(lockFile.toFile(), "rw")) {
                if (lock.getChannel().tryLock() == null) {
                    return; // the process that holds the lock is alive
                }
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && belongs(directory, user)) {
                    DirectoryTrees.delete(directory);
                    LOG.info("Local directory {}: removed leftovers of a killed process", directory);
                }
                Files.deleteIfExists(lockFile);
            }
        } catch (OverlappingFileLockException | NoSuchFileException other) {
            LOG.debug("Local directory {}: another process removes it", directory, other);
        } catch (IOException failure) {
            LOG.warn("Local directory {}: was left by a killed process and cannot be removed", directory, failure);
        }
    }

    private static boolean belongs(Path file, UserPrincipal user) throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(user);
    }

    /**
     * Returns the path for a new file, which is named by {@code number}. Creates the file's sub-directory if it is
     * missing.
     */
    Path newPath(long number) throws IOException {
        Path fan = directory.resolve(String.format("%02x", Math.floorMod(number, FANOUT)));
        if (!Files.isDirectory(fan)) {
            try {
                OwnerOnlyFiles.createDirectory(fan);
            } catch (FileAlreadyExistsException raced) {
                LOG.trace("Local directory {}: created by another thread", fan, raced);
            }
        }
        return fan.resolve("segment-" + number);
    }

    Path directory() {
        return directory;
    }

    /**
     * Deletes the directory with all its files first, and then releases and deletes its lock file. Leaves a directory
     * that another process owns.
     */
    void remove() throws IOException {
        if (lock == null) {
            return;
        }
        try {
            DirectoryTrees.delete(directory);
        } finally {
            release(lockFile, lock);
        }
    }
}
