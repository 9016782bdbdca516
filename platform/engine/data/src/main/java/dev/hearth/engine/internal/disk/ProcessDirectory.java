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
 * One application's own directory below a local directory, with a locked file beside it for as long as the process lives. Making
 * it removes what killed processes left there: the lock is taken before the directory is made and given back after it is gone, so
 * whoever gets another's lock may remove the rest. Guarded by its {@link LocalDirectory}.
 */
final class ProcessDirectory {
    /** Directories of files below it, made when needed: few enough to list, enough that none grows long. */
    static final int FANOUT = 64;

    private static final int NAMES_MAX = 16; // tried, when others remove what we are making
    private static final String PREFIX = "hearth-";
    private static final String LOCK = ".lock";
    private static final Pattern LOCK_NAME = Pattern.compile("hearth-\\d+-[0-9a-z]+-[0-9a-f]{1,16}\\.lock");
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDirectory.class);

    private final Path directory;
    private final Path lockFile;
    private final RandomAccessFile lock;

    private ProcessDirectory(Path directory, Path lockFile, RandomAccessFile lock) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Makes one below {@code base}, which is made as well; {@code token} tells it from others of this process. */
    static ProcessDirectory make(Path base, long token) throws IOException {
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
        throw new IOException("no lock file can be kept there");
    }

    /** What is the same for all of this process and for no other one, in other containers with the same number either. */
    private static String process() {
        ProcessHandle self = ProcessHandle.current();
        long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return self.pid() + "-" + Long.toString(start, Character.MAX_RADIX) + "-";
    }

    private static @Nullable RandomAccessFile tryToLock(Path file) throws IOException {
        try {
            OwnerOnlyFiles.createFile(file);
        } catch (FileAlreadyExistsException taken) {
            return null; // by another application of this process
        }
        RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
        boolean ours = false;
        try {
            // Whoever was quicker takes it for a leftover and removes it: then the name is given up.
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

    private static void removeLeftovers(Path base, UserPrincipal us) {
        String own = PREFIX + process();
        try (var files = Files.newDirectoryStream(base, PREFIX + "*" + LOCK)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                // Closing a second handle on a lock file of this process would give up the lock: these are never
                // opened.
                if (LOCK_NAME.matcher(name).matches() && !name.startsWith(own)) {
                    removeIfLeft(file, us);
                }
            }
        } catch (IOException | RuntimeException failure) {
            LOG.warn("Local directory {}: what others left cannot be listed", base, failure);
        }
    }

    private static void removeIfLeft(Path lockFile, UserPrincipal us) {
        String name = lockFile.getFileName().toString();
        Path directory = lockFile.resolveSibling(name.substring(0, name.length() - LOCK.length()));
        try {
            if (!belongs(lockFile, us) || !Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)) {
                return; // another user's, whose business it is
            }
            try (RandomAccessFile lock = new RandomAccessFile(lockFile.toFile(), "rw")) {
                if (lock.getChannel().tryLock() == null) {
                    return; // its process lives
                }
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && belongs(directory, us)) {
                    DirectoryTrees.delete(directory);
                    LOG.info("Local directory {}: removed what a process left that was killed", directory);
                }
                Files.deleteIfExists(lockFile);
            }
        } catch (OverlappingFileLockException | NoSuchFileException other) {
            LOG.debug("Local directory {}: being removed by somebody else", directory, other);
        } catch (IOException failure) {
            LOG.warn("Local directory {}: was left by a killed process and cannot be removed", directory, failure);
        }
    }

    private static boolean belongs(Path file, UserPrincipal us) throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(us);
    }

    /** The place of a file, in a directory that is there. */
    Path place(long number) throws IOException {
        Path fan = directory.resolve(String.format("%02x", Math.floorMod(number, FANOUT)));
        if (!Files.isDirectory(fan)) {
            try {
                OwnerOnlyFiles.createDirectory(fan);
            } catch (FileAlreadyExistsException made) {
                LOG.trace("Local directory {}: made by another thread", fan, made);
            }
        }
        return fan.resolve("segment-" + number);
    }

    Path directory() {
        return directory;
    }

    /** Removes everything. */
    void remove() throws IOException {
        try {
            DirectoryTrees.delete(directory);
        } finally {
            release(lockFile, lock);
        }
    }
}
