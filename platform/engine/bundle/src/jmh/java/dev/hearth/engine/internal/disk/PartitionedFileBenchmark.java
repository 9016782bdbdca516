package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.time.Ticker;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Writes 256 MiB of records to a temporary file and reads them back, in milliseconds, by compression and kind
 * of bytes; the baseline is a plain stream with a checksum in the same pieces. The page cache holds the file:
 * no disk is measured.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class PartitionedFileBenchmark {
    private static final int FRAMES = 1_024;

    /** Content of the frames. */
    public enum Kind {
        /** Words and counts, like serialised records. */
        RECORDS,
        /** Incompressible bytes. */
        NOISE
    }

    @Param({"NONE", "LZ4", "SNAPPY", "ZSTD"})
    public CompressionCodec compression;

    @Param({"RECORDS", "NOISE"})
    public Kind kind;

    private final byte[] frame = new byte[PartitionedFileWriter.FRAME_BYTES];
    private Path directory = Path.of("");
    private LocalTemporaryFiles files;
    private PartitionedFile segment;
    private Path plain = Path.of("");

    @Setup(Level.Trial)
    public void write() throws IOException {
        fill();
        directory = Files.createTempDirectory("segments");
        files = LocalTemporaryFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(compression, true, true)),
                Ticker.system());
        segment = segmentWrite();
        plain = directory.resolve("plain");
        plainWrite();
        System.err.println(kind + " by " + compression + ": " + segment.bytes(0) * 100 / ((long) FRAMES * frame.length)
                + " % of the bytes");
    }

    private void fill() {
        Random random = new Random(1);
        if (kind == Kind.NOISE) {
            random.nextBytes(frame);
            return;
        }
        for (int at = 0; at < frame.length; ) {
            int word = (int) Math.abs(random.nextGaussian() * 3_000);
            byte[] text = ("word" + Integer.toString(word * 7_919, Character.MAX_RADIX) + "=")
                    .getBytes(StandardCharsets.US_ASCII);
            int length = Math.min(text.length, frame.length - at);
            System.arraycopy(text, 0, frame, at, length);
            at += length;
            for (int n = 0; n < Integer.BYTES && at < frame.length; n++) {
                frame[at++] = (byte) (n == 0 ? random.nextInt() : 0);
            }
        }
    }

    @Benchmark
    public PartitionedFile writeSegment() {
        PartitionedFile written = segmentWrite();
        written.delete();
        return written;
    }

    private PartitionedFile segmentWrite() {
        PartitionedFileWriter writer = files.create("benchmark", 1);
        writer.begin(0);
        for (int n = 0; n < FRAMES; n++) {
            writer.write(frame, 0, frame.length);
        }
        return writer.finish();
    }

    @Benchmark
    public long readSegment() throws CorruptFileException {
        RecordInput in = new RecordInput();
        long bytes = 0;
        try (SegmentInput input = segment.open(0)) {
            while (input.next(in)) {
                bytes += in.limit() - in.position();
            }
        }
        return bytes;
    }

    @Benchmark
    public long writePlain() throws IOException {
        Files.delete(plain);
        return plainWrite();
    }

    private long plainWrite() throws IOException {
        CRC32C checksum = new CRC32C();
        try (OutputStream out = new FileOutputStream(plain.toFile())) {
            for (int n = 0; n < FRAMES; n++) {
                checksum.update(frame, 0, frame.length);
                out.write(frame, 0, frame.length);
            }
        }
        return checksum.getValue();
    }

    @Benchmark
    public long readPlain() throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] buffer = new byte[frame.length];
        try (InputStream in = new FileInputStream(plain.toFile())) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
            }
        }
        return checksum.getValue();
    }

    @TearDown(Level.Trial)
    public void remove() throws IOException {
        files.close();
        Files.delete(plain);
        Files.delete(directory);
    }
}
