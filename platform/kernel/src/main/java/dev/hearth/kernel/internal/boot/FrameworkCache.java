package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.kernel.internal.process.TreeDeletion;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Private directory for the files of this process's OSGi framework, below {@code <tmpdir>/hearth-<user>/}.
 * <p>The process creates the directory when it starts and removes it when it ends. Each start also removes the
 * directories of processes that were killed.
 */
final class FrameworkCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FrameworkCache.class);
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final Pattern OWNED = Pattern.compile("(\\d{1,18})-.*");
    /** Maximum number of stale directories that one start removes, so that the start stays fast. */
    private static final int SWEPT_MAX = 32;
    /**
     * Maximum number of attempts to create a directory. An attempt fails if another process removes the directory
     * before it is locked.
     */
    private static final int TRIES_MAX = 10;

    /**
     * Name of the file that a process keeps locked as long as it lives. Unlike process ids, locks work across
     * containers that share a disk.
     */
    private static final String LOCK = "lock";
    /**
     * Minimum age at which a directory without a lock file is removed. A younger directory may belong to a process that
     * has just created it.
     */
    private static final Duration UNLOCKED_KEPT = Duration.ofMinutes(10);

    /** Name of a user that the operating system knows by a number alone, as in many containers. */
    private static final String NAMELESS = "?";

    private final Path directory;
    private final FileChannel lock;

    private FrameworkCache(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    static FrameworkCache open(Path temporary, String user) {
        Path base = temporary;
        try {
            String name = user.equals(NAMELESS) ? userId(temporary) : user;
            base = temporary.resolve("hearth-" + name.replaceAll("[^A-Za-z0-9._-]", "_"));
            makePrivate(base);
            FrameworkCache cache = make(base);
            Path own = cache.directory;
            if (!Files.getOwner(base).equals(Files.getOwner(own))) {
                cache.close();
                throw ErrorCode.START_FAILED.failure("cache directory " + base + ": belongs to "
                        + Files.getOwner(base) + " (expected: to the user of this process); remove it, or set"
                        + " -Djava.io.tmpdir");
            }
            sweep(base, own);
            return cache;
        } catch (IOException e) {
            throw ErrorCode.START_FAILED.failure(
                    FullDisk.problem(temporary, e)
                            .orElse("cache directory " + base + ": " + e
                                    + " (expected: a directory to write to); set -Djava.io.tmpdir"),
                    e);
        }
    }

    Path directory() {
        return directory;
    }

    /** Removes the private directory of this process. Idempotent. */
    @Override
    public void close() {
        try (lock) {
            delete(directory);
        } catch (IOException e) {
            LOG.warn("cache directory {}: not removed; the next start will try again", directory, e);
        }
    }

    /** Id of the user of this process, by the owner of a new file. */
    private static String userId(Path temporary) throws IOException {
        Path probe = Files.createTempFile(temporary, "hearth-user-", "");
        try {
            return String.valueOf(Files.getAttribute(probe, "unix:uid"));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static void makePrivate(Path base) throws IOException {
        try {
            Files.createDirectory(base, PosixFilePermissions.asFileAttribute(PRIVATE));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            if (!Files.getPosixFilePermissions(base).equals(PRIVATE)) {
                Files.setPosixFilePermissions(base, PRIVATE); // fails if another user owns the directory
            }
        }
    }

    /** Creates and locks a directory. Retries if another process removes the directory before it is locked. */
    private static FrameworkCache make(Path base) throws IOException {
        for (int tried = 0; tried < TRIES_MAX; tried++) {
            Path own = Files.createTempDirectory(
                    base, ProcessHandle.current().pid() + "-", PosixFilePermissions.asFileAttribute(PRIVATE));
            Optional<FileChannel> lock = lock(own);
            if (lock.isPresent()) {
                return new FrameworkCache(own, lock.get());
            }
        }
        throw new IOException(base + ": " + TRIES_MAX + " new directories in it were removed at once by another"
                + " process (expected: none)");
    }

    /** Locks a directory; empty if another process has removed the directory. */
    private static Optional<FileChannel> lock(Path directory) throws IOException {
        Path file = directory.resolve(LOCK);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() == null || !Files.exists(file)) {
            channel.close();
            return Optional.empty();
        }
        return Optional.of(channel);
    }

    /**
     * Removes the directories of dead processes. A directory that cannot be removed is ignored, so that this process
     * can start.
     */
    private static void sweep(Path base, Path own) throws IOException {
        int swept = 0;
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(base)) {
            for (Path left : directories) {
                if (swept < SWEPT_MAX
                        && !left.equals(own)
                        && OWNED.matcher(left.getFileName().toString()).matches()) {
                    swept += sweepOne(left) ? 1 : 0;
                }
            }
        }
    }

    private static boolean sweepOne(Path left) {
        try (FileChannel channel = FileChannel.open(left.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                return false; // the process that locked the directory is alive
            }
            delete(left);
            return true;
        } catch (NoSuchFileException unlocked) {
            return sweepUnlocked(left);
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("cache directory {}: not removed", left, e);
            return false;
        }
    }

    private static boolean sweepUnlocked(Path left) {
        try {
            Instant changed = Files.getLastModifiedTime(left).toInstant();
            if (changed.isAfter(Instant.now().minus(UNLOCKED_KEPT))) {
                return false;
            }
            delete(left);
            return true;
        } catch (IOException e) {
            LOG.debug("cache directory {}: not removed", left, e);
            return false;
        }
    }

    private static void delete(Path tree) throws IOException {
        try {
            TreeDeletion.of(tree);
        } catch (NoSuchFileException gone) {
            LOG.debug("{}: removed by another process", tree, gone);
        }
    }
}
