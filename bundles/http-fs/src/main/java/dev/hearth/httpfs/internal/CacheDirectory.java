package dev.hearth.httpfs.internal;

import dev.hearth.spi.settings.UserCache;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of cached files, and the rule by which files are removed from it: parts of transfers that were killed, files
 * of copies that were replaced, and the least recently used copies beyond a bound. Thread-safe.
 */
final class CacheDirectory {
    static final String PART = ".part";
    /** Age from which no process uses a file that no entry names. */
    static final Duration ABANDONED_AGE = Duration.ofDays(1);
    /** Age of the last use from which a copy may be removed: a process may be reading younger ones. */
    static final Duration IN_USE_AGE = Duration.ofHours(1);

    static final long BYTES_MAX = 4L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);

    private final Path root;
    private final Path fallback;
    private final long bytesMax;

    /** {@code fallback} is the directory for temporary files, used if {@code root} cannot be made. */
    CacheDirectory(Path root, Path fallback, long bytesMax) {
        this.root = root;
        this.fallback = fallback;
        this.bytesMax = bytesMax;
    }

    /** The directory of the user of this process. */
    static CacheDirectory ofUser() {
        Path home = Path.of(System.getProperty("user.home"));
        return new CacheDirectory(
                UserCache.directory(System.getenv(), home).resolve("http"),
                Path.of(System.getProperty("java.io.tmpdir")).resolve("hearth-http"),
                BYTES_MAX);
    }

    /** Returns the directory, and creates it, readable by its user alone. */
    Path open() throws IOException {
        try {
            return create(root);
        } catch (IOException failure) {
            LOG.debug("cache {}: cannot be used, {} takes its place", root, fallback, failure);
            return create(fallback);
        }
    }

    private static Path create(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory.toAbsolutePath().getParent());
            try {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException made) {
                LOG.trace("cache {}: made by another process", directory, made);
            }
        }
        if (!Files.isWritable(directory)) {
            throw new AccessDeniedException(directory.toString());
        }
        return directory;
    }

    /** Removes what need not be kept. A failure is of no consequence for the caller. */
    void sweep(Path directory, Instant now) {
        try {
            List<Use> uses = uses(directory);
            Set<Path> named = new HashSet<>();
            uses.forEach(use -> named.add(use.copy().file()));
            removeAbandoned(directory, named, now);
            long total = uses.stream().mapToLong(use -> use.copy().length()).sum();
            uses.sort(Comparator.comparing(Use::last));
            for (Use use : uses) {
                if (total > bytesMax && use.last().plus(IN_USE_AGE).isBefore(now)) {
                    Files.deleteIfExists(use.copy().entry());
                    Files.deleteIfExists(use.copy().file());
                    total -= use.copy().length();
                }
            }
        } catch (IOException failure) {
            LOG.debug("cache {}: old files are not removed", directory, failure);
        }
    }

    /** Copy and the time of its last use. */
    private record Use(CachedCopy copy, Instant last) {}

    private static List<Use> uses(Path directory) throws IOException {
        List<Use> uses = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*" + CachedCopy.ENTRY)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                String key = name.substring(0, name.length() - CachedCopy.ENTRY.length());
                Instant last = Files.getLastModifiedTime(entry).toInstant();
                CachedCopy.read(directory, key).ifPresent(copy -> uses.add(new Use(copy, last)));
            }
        }
        return uses;
    }

    private static void removeAbandoned(Path directory, Set<Path> named, Instant now) throws IOException {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(directory, "*{" + PART + "*," + CachedCopy.DATA + "}")) {
            for (Path file : files) {
                try {
                    Instant changed = Files.getLastModifiedTime(file).toInstant();
                    if (!named.contains(file) && changed.plus(ABANDONED_AGE).isBefore(now)) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException gone) { // another process was faster
                    LOG.trace("{}: removed meanwhile", file, gone);
                }
            }
        }
    }
}
