package dev.hearth.kernel.internal.process;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/**
 * Reads parts of the output files of a child process, while the child writes them and they roll over. Blocks on the
 * disk. It opens files with the names of outputs only, and follows no links. Thread-safe.
 */
final class OutputReader {
    /** Attempts at one part; files may roll over between their listing and their opening. */
    private static final int ATTEMPTS_MAX = 10;

    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final CompressedFiles compressed = new CompressedFiles();

    /** Reads the part {@code range} of an output of the child in {@code directory}; empty if it has no such output. */
    Optional<OutputChunk> read(Path directory, OutputRange range) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        for (int attempt = 1; true; attempt++) {
            try {
                NavigableMap<Long, Path> files = files(directory, range.output());
                if (files.isEmpty()) {
                    return Optional.empty();
                }
                return Optional.of(range.backwards() ? before(files, range) : after(files, range));
            } catch (NoSuchFileException rolledOver) {
                if (attempt == ATTEMPTS_MAX) {
                    throw rolledOver;
                }
            }
        }
    }

    /** Returns the files of an output by number. The last one is the current one, if it is there. */
    private static NavigableMap<Long, Path> files(Path directory, OutputName output) throws IOException {
        Path current = directory.resolve(output.file());
        NavigableMap<Long, Path> files = RolledFiles.of(current);
        if (Files.isRegularFile(current, LinkOption.NOFOLLOW_LINKS)) {
            files.put(files.isEmpty() ? 1 : files.lastKey() + 1, current);
        }
        return files;
    }

    private OutputChunk after(NavigableMap<Long, Path> files, OutputRange range) throws IOException {
        OutputPosition wanted = range.position();
        if (wanted.file() > files.lastKey()) {
            long end = size(files.lastEntry().getValue());
            OutputPosition last = new OutputPosition(files.lastKey(), end);
            return new OutputChunk(Bytes.EMPTY, last, last, true, false);
        }
        boolean isCut = wanted.file() > 0 && !files.containsKey(wanted.file());
        long number = files.ceilingKey(wanted.file());
        long offset = number == wanted.file() ? wanted.offset() : 0;
        while (true) {
            Path file = files.get(number);
            Bytes bytes = read(file, offset, range.length());
            requireUnmoved(files, number);
            boolean isLast = number == files.lastKey();
            if (bytes.size() > 0 || isLast) {
                OutputPosition from = new OutputPosition(number, offset);
                OutputPosition to = new OutputPosition(number, offset + bytes.size());
                boolean atEnd = isLast && bytes.size() < range.length();
                return new OutputChunk(bytes, from, to, atEnd, isCut);
            }
            isCut |= !files.containsKey(number + 1);
            number = files.higherKey(number);
            offset = 0;
        }
    }

    private OutputChunk before(NavigableMap<Long, Path> files, OutputRange range) throws IOException {
        OutputPosition wanted = range.position();
        Long number = files.floorKey(wanted.file());
        while (number != null) {
            Path file = files.get(number);
            long size = size(file);
            long end = number == wanted.file() ? Math.min(wanted.offset(), size) : size;
            if (end > 0) {
                long start = Math.max(0, end - range.length());
                Bytes bytes = read(file, start, (int) (end - start));
                requireUnmoved(files, number);
                OutputPosition to = new OutputPosition(number, start + bytes.size());
                boolean atEnd = number.equals(files.lastKey()) && end == size;
                return new OutputChunk(bytes, new OutputPosition(number, start), to, atEnd, false);
            }
            number = files.lowerKey(number);
        }
        OutputPosition first = new OutputPosition(files.firstKey(), 0);
        return new OutputChunk(Bytes.EMPTY, first, first, false, false);
    }

    /** Fails if the current file has rolled over since it was listed, so that another one now has its name. */
    private static void requireUnmoved(NavigableMap<Long, Path> files, long number) throws IOException {
        Path file = files.get(number);
        if (number == files.lastKey() && RolledFiles.isRolled(file, number)) {
            throw new NoSuchFileException(file.toString());
        }
    }

    private long size(Path file) throws IOException {
        return RolledFiles.isCompressed(file) ? compressed.size(file) : Files.size(file);
    }

    private Bytes read(Path file, long offset, int bytesMax) throws IOException {
        if (RolledFiles.isCompressed(file)) {
            return compressed.read(file, offset, bytesMax);
        }
        try (FileChannel channel = FileChannel.open(file, READ)) {
            long there = Math.max(0, channel.size() - offset);
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(bytesMax, there));
            int read = 0;
            while (buffer.hasRemaining() && read >= 0) {
                read = channel.read(buffer, offset + buffer.position());
            }
            byte[] bytes = new byte[buffer.position()];
            buffer.flip().get(bytes);
            return Bytes.owning(bytes);
        }
    }
}
