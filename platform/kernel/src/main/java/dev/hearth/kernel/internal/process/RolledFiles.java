package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.OutputFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolled-over files of one output, numbered from 1 on; a larger number is newer. Removes the oldest ones and compresses
 * the others on another thread. Guarded by its own lock.
 */
final class RolledFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RolledFiles.class);
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final String COMPRESSED = ".gz";
    private static final String UNFINISHED = ".gz.part";

    private final Path current;
    private final OutputFiles bounds;
    private final Executor disk;
    private long newest;
    private boolean isCompressing;

    /**
     * {@code current} is the output file whose full versions roll over, and {@code disk} runs the compression of
     * rolled-over files.
     */
    RolledFiles(Path current, OutputFiles bounds, Executor disk) {
        this.current = current;
        this.bounds = bounds;
        this.disk = disk;
    }

    /**
     * Returns the rolled-over files of the output file {@code current} by their numbers. Of a file that is being
     * compressed, the plain one.
     */
    static NavigableMap<Long, Path> of(Path current) throws IOException {
        NavigableMap<Long, Path> complete = new TreeMap<>();
        list(current)
                .forEach((number, paths) -> paths.stream()
                        .filter(path -> !path.toString().endsWith(UNFINISHED))
                        .min(Comparator.comparing(RolledFiles::isCompressed))
                        .ifPresent(path -> complete.put(number, path)));
        return complete;
    }

    /** Whether the output file {@code current} has rolled over as the file {@code number}. */
    static boolean isRolled(Path current, long number) {
        return Files.exists(numbered(current, number, ""), LinkOption.NOFOLLOW_LINKS)
                || Files.exists(numbered(current, number, COMPRESSED), LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isCompressed(Path file) {
        return file.toString().endsWith(COMPRESSED);
    }

    /**
     * Renames the current output file, so that it becomes the newest rolled-over file. Deletes the oldest files beyond
     * the maximum number.
     */
    synchronized void add() throws IOException {
        NavigableMap<Long, List<Path>> rolled = list(current);
        newest = Math.max(newest, rolled.isEmpty() ? 0 : rolled.lastKey());
        while (rolled.size() >= bounds.rolledMax()) { // before the move, so that the bound holds at all times
            for (Path oldest : rolled.pollFirstEntry().getValue()) {
                Files.deleteIfExists(oldest);
            }
        }
        Files.move(current, numbered(newest + 1, ""), StandardCopyOption.REPLACE_EXISTING);
        newest++;
        if (bounds.isCompressed() && !isCompressing) {
            isCompressing = true;
            disk.execute(this::compressAll);
        }
    }

    private static NavigableMap<Long, List<Path>> list(Path current) throws IOException {
        Pattern form =
                Pattern.compile(Pattern.quote(current.getFileName().toString()) + "\\.(\\d{1,18})(\\.gz(\\.part)?)?");
        NavigableMap<Long, List<Path>> rolled = new TreeMap<>();
        try (DirectoryStream<Path> siblings =
                Files.newDirectoryStream(current.toAbsolutePath().getParent())) {
            for (Path sibling : siblings) {
                Matcher name = form.matcher(sibling.getFileName().toString());
                if (name.matches()) {
                    rolled.computeIfAbsent(Long.parseLong(name.group(1)), number -> new ArrayList<>())
                            .add(sibling);
                }
            }
        }
        return rolled;
    }

    private Path numbered(long number, String suffix) {
        return numbered(current, number, suffix);
    }

    private static Path numbered(Path current, long number, String suffix) {
        return current.resolveSibling(current.getFileName() + "." + number + suffix);
    }

    private void compressAll() {
        try {
            for (Optional<Long> next = nextToCompress(); next.isPresent(); next = nextToCompress()) {
                compress(next.get());
            }
        } catch (IOException failure) {
            LOG.debug("{}: a rolled-over file was not compressed", current, failure);
        } finally {
            synchronized (this) {
                isCompressing = false;
            }
        }
    }

    /** Returns the number of the newest rolled-over file that is not compressed; empty if all are. */
    private synchronized Optional<Long> nextToCompress() throws IOException {
        return list(current).descendingMap().entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(path -> path.equals(numbered(entry.getKey(), ""))))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void compress(long number) throws IOException {
        Path plain = numbered(number, "");
        Path part = numbered(number, UNFINISHED);
        try {
            try (FileChannel to = WorkDirectory.openFile(part);
                    OutputStream out = new GZIPOutputStream(Channels.newOutputStream(to), BUFFER_BYTES)) {
                Files.copy(plain, out);
            }
            synchronized (this) {
                if (Files.exists(plain)) { // otherwise it was removed as the oldest one meanwhile
                    Files.move(part, numbered(number, COMPRESSED), StandardCopyOption.REPLACE_EXISTING);
                    Files.delete(plain);
                }
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
