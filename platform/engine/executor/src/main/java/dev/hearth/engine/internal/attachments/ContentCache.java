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
 * Files under the hash of their bytes in one directory, for all processes of one user on this machine: they outlive them. No lock
 * is held: a file appears complete or not at all, and is checked whenever it is found. What was not used for long goes, and the
 * longest unused where there is too much. Whoever uses one makes a link or a copy of it. Any thread may call.
 */
final class ContentCache {
    private static final Logger LOG = LoggerFactory.getLogger(ContentCache.class);

    /** What stays of a day's applications on a machine. */
    static final long BYTES_MAX = 4L << 30;

    static final Duration UNUSED_MAX = Duration.ofDays(7);

    /** Nobody writes to a file for so long without a pause. */
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

    /** That below a local directory, made when it is not there. Refuses one that belongs to somebody else. */
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

    /** The file with this content, if it is here and whole. */
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
        LOG.warn("{}: is not what it is called; it is fetched again", file);
        Files.deleteIfExists(file);
        return Optional.empty();
    }

    /** A name for content on its way in, which nobody else has. */
    Path incoming() {
        return directory.resolve(INCOMING + UUID.randomUUID());
    }

    /** Has {@code incoming} found from now on; refuses and removes it when it is not that content. */
    Path add(Path incoming, ContentId content, String subject) throws IOException {
        ContentId came = ContentId.of(incoming);
        if (!came.equals(content)) {
            Files.delete(incoming);
            throw ErrorCode.FILE_DAMAGED.failure(subject + ": content " + came + " came (expected: " + content
                    + "); it was changed while the application ran, submit it again");
        }
        Path file = directory.resolve(content.sha256());
        Files.setLastModifiedTime(incoming, FileTime.from(ticker.wall()));
        Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sweep(file);
        return file;
    }

    /** Removes what is left of a name that nothing came under. */
    void abandon(Path incoming) {
        for (String ending : List.of("", ".part", ".part.tag")) {
            delete(incoming.resolveSibling(incoming.getFileName() + ending));
        }
    }

    private record Entry(Path file, long bytes, Instant used) {}

    /** Makes room, other than by what was just added. */
    private void sweep(Path added) throws IOException {
        Instant now = ticker.wall();
        List<Entry> whole = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> !file.equals(added))
                    .forEach(file -> entry(file).ifPresent(entry -> {
                        String name = String.valueOf(file.getFileName());
                        boolean incoming = name.startsWith(INCOMING);
                        Duration rested = Duration.between(entry.used, now);
                        if (rested.compareTo(incoming ? INCOMING_MAX : UNUSED_MAX) > 0) {
                            delete(file);
                        } else if (CONTENT.matcher(name).matches()) {
                            whole.add(entry);
                        }
                    }));
        }
        long bytes = Files.size(added) + whole.stream().mapToLong(Entry::bytes).sum();
        whole.sort(Comparator.comparing(Entry::used));
        for (Entry oldest : whole) {
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
        } catch (IOException gone) { // another process sweeps as well
            LOG.debug("{}: is gone", file, gone);
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
