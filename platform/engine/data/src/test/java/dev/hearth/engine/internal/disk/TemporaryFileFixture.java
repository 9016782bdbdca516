package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Fixture of tests of temporary files: files in given directories, random frames, and the content of the disk. */
final class TemporaryFileFixture {
    static final long TOKEN = 0x5eed;

    final FailingDisk disk = new FailingDisk();
    final FakeTicker ticker = new FakeTicker();
    final LocalTemporaryFiles files;

    TemporaryFileFixture(CompressionCodec compression, Path... directories) {
        this(compression, OpenFileCache.OPEN_FILES_MAX, directories);
    }

    TemporaryFileFixture(CompressionCodec compression, int openMax, Path... directories) {
        DiskSettings settings =
                new DiskSettings(List.of(directories), new CompressionSettings(compression, true, true));
        files = new LocalTemporaryFiles(settings, disk, ticker, TOKEN, openMax);
    }

    /** Random number, size and regularity of frames for each segment; some segments are empty. */
    static List<List<byte[]>> parts(Random random, int parts, int framesMax, int bytesMax) {
        List<List<byte[]>> all = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            List<byte[]> frames = new ArrayList<>();
            int count = random.nextInt(3) == 0 ? 0 : random.nextInt(framesMax + 1);
            for (int n = 0; n < count; n++) {
                frames.add(frame(random, 1 + random.nextInt(bytesMax), random.nextBoolean() ? 256 : 3));
            }
            all.add(frames);
        }
        return all;
    }

    static byte[] frame(Random random, int length, int kinds) {
        byte[] bytes = new byte[length];
        if (kinds == 256) {
            random.nextBytes(bytes);
        } else {
            for (int n = 0; n < length; n++) {
                bytes[n] = (byte) random.nextInt(kinds);
            }
        }
        return bytes;
    }

    PartitionedFile write(String subject, List<List<byte[]>> parts) {
        return write(files.create(subject, parts.size()), parts);
    }

    static PartitionedFile write(PartitionedFileWriter writer, List<List<byte[]>> parts) {
        for (int part = 0; part < parts.size(); part++) {
            List<byte[]> frames = parts.get(part);
            if (!frames.isEmpty()) {
                writer.begin(part);
                frames.forEach(frame -> writer.write(frame, 0, frame.length));
            }
        }
        return writer.finish();
    }

    static List<List<byte[]>> read(PartitionedFile segment) throws CorruptFileException {
        List<List<byte[]>> all = new ArrayList<>();
        for (int part = 0; part < segment.segments(); part++) {
            all.add(read(segment, part));
        }
        return all;
    }

    static List<byte[]> read(PartitionedFile segment, int part) throws CorruptFileException {
        List<byte[]> frames = new ArrayList<>();
        RecordInput in = new RecordInput();
        try (SegmentInput input = segment.open(part)) {
            while (input.next(in)) {
                frames.add(Arrays.copyOfRange(in.array(), in.position(), in.limit()));
            }
        }
        return frames;
    }

    static boolean same(List<List<byte[]>> some, List<List<byte[]>> others) {
        return Arrays.deepEquals(array(some), array(others));
    }

    private static byte[][][] array(List<List<byte[]>> parts) {
        return parts.stream().map(frames -> frames.toArray(byte[][]::new)).toArray(byte[][][]::new);
    }

    /** Everything below a directory. */
    static List<Path> below(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !path.equals(directory)).sorted().toList();
        }
    }

    static List<Path> segments(Path directory) throws IOException {
        return below(directory).stream()
                .filter(path -> path.getFileName().toString().startsWith("segment-"))
                .toList();
    }
}
