package dev.hearth.engine.internal.attachments;

import dev.hearth.engine.internal.disk.OwnerOnlyFiles;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of files by content hash, in a directory that all processes of one user on this machine share. The directory
 * outlives these processes. No lock is needed, because a file appears complete or not at all, and each use checks its
 * hash. Evicts files unused for long, and the least recently used ones if the cache is too large. Callers link or copy
 * the cached files. Any thread may call.
 */
final class ContentCache {
    private static final Logger LOG = LoggerFactory.getLogger(ContentCache.class);

    /** Maximum size of the cache, chosen to fit the files that a machine uses in a day. */
    static final long BYTES_MAX = 4L << 30;

    static final Duration UNUSED_MAX = Duration.ofDays(7);

    /** Age at which the file of an unfinished download counts as abandoned and is deleted. */
    static final Duration INCOMING_MAX = Duration.ofDays(1);

    private static final Pattern CONTENT = Pattern.compile("[0-9a-f]{64}");
    private static final String INCOMING = "incoming-";

    private final Path directory;
    private final Ticker ticker;
    private final long bytesMax;

    private ContentCache(Path directory, Ticker ticker, long bytesMax) {
        this.directory = directory;
        this.ticker = ticker;
        this.bytesMax = bytesMax;
    }

    /**
     * Opens the cache in a subdirectory of a local directory, and creates it if it is missing. Fails if the directory
     * belongs to another user.
     */
    static ContentCache below(Path base, Ticker ticker, long bytesMax) throws IOException {
        Files.createDirectories(base);
        Path directory = base.resolve(
                "hearth-cache-" + System.getProperty("user.name", "").replaceAll("\\W", "_"));
        try {
            OwnerOnlyFiles.createDirectory(directory);
        } catch (FileAlreadyExistsException there) {
            if (!OwnerOnlyFiles.isOurs(directory)) {
                throw new IOException(directory + ": belongs to another user, or is no directory", there);
            }
        }
        return new ContentCache(directory, ticker, bytesMax);
    }

    /** Returns the file with this content hash; empty if it is missing or corrupt. */
    Optional<Path> find(ContentId content) throws IOException {
        Path file = directory.resolve(content.sha256());
        try {
            if (ContentId.of(file).equals(content)) {
                Files.setLastModifiedTime(file, FileTime.from(ticker.wall()));
                return Optional.of(file);
            }
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
        LOG.warn("{}: is corrupt; it is fetched again", file);
        Files.deleteIfExists(file);
        return Optional.empty();
    }

    /** Returns a unique path for a download, which {@link #add} later moves into the cache. */
    Path incoming() {
        return directory.resolve(INCOMING + UUID.randomUUID());
    }

    /**
     * Adds the downloaded file {@code incoming} to the cache and returns its path there. If its hash differs from
     * {@code content}, deletes the file and fails.
     */
    Path add(Path incoming, ContentId content, String subject) throws IOException {
        ContentId actual = ContentId.of(incoming);
        if (!actual.equals(content)) {
            Files.delete(incoming);
            throw ErrorCode.FILE_DAMAGED.failure(subject + ": bytes with SHA-256 " + actual + " arrived"
                    + " (expected: " + content
                    + "); the file was changed while the application ran, so submit the application again");
        }
        Path file = directory.resolve(content.sha256());
        Files.setLastModifiedTime(incoming, FileTime.from(ticker.wall()));
        Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sweep(file);
        return file;
    }

    /** Deletes the files of a failed download. */
    void abandon(Path incoming) {
        for (String ending : List.of("", ".part", ".part.tag")) {
            delete(incoming.resolveSibling(incoming.getFileName() + ending));
        }
    }

    private record Entry(Path file, long bytes, Instant used) {}

    /**
     * Evicts files that were not used for long, and the least recently used others while the cache exceeds its maximum
     * size. Spares {@code added}, the newest file.
     */
    private void sweep(Path added) throws IOException {
        Instant now = ticker.wall();
        List<Entry> complete = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> !file.equals(added))
                    .forEach(file -> entry(file).ifPresent(entry -> {
                        String name = String.valueOf(file.getFileName());
                        boolean incoming = name.startsWith(INCOMING);
                        Duration unused = Duration.between(entry.used, now);
                        if (unused.compareTo(incoming ? INCOMING_MAX : UNUSED_MAX) > 0) {
                            delete(file);
                        } else if (CONTENT.matcher(name).matches()) {
                            complete.add(entry);
                        }
                    }));
        }
        long bytes =
                Files.size(added) + complete.stream().mapToLong(Entry::bytes).sum();
        complete.sort(Comparator.comparing(Entry::used));
        for (Entry oldest : complete) {
            if (bytes <= bytesMax) {
                return;
            }
            delete(oldest.file);
            bytes -= oldest.bytes;
        }
    }

    private static Optional<Entry> entry(Path file) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(
                    new Entry(file, found.size(), found.lastModifiedTime().toInstant()));
        } catch (IOException evicted) { // another process has evicted the file
            LOG.debug("{}: has been evicted", file, evicted);
            return Optional.empty();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            LOG.warn("{}: cannot be removed", file, failure);
        }
    }
}
