package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.memory.BufferReservation;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/** Reads and writes the lines of 256 MiB of text in the page cache. One thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+UseParallelGC"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TextFilesBenchmark {
    private static final int BYTES = 256 << 20;

    /** Average length of a line in bytes. */
    @Param({"20", "80"})
    public int lineBytes;

    /** Whether the text has non-ASCII letters. */
    @Param({"false", "true"})
    public boolean letters;

    private Path directory = Path.of("");
    private Path file = Path.of("");
    private List<String> some = List.of();

    @Setup(Level.Trial)
    public void write() throws IOException {
        directory = Files.createTempDirectory("text-files");
        file = directory.resolve("text.txt");
        SplittableRandom random = new SplittableRandom(1);
        some = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        while (text.length() < 4 << 20) {
            StringBuilder line = new StringBuilder();
            int length = lineBytes / 2 + random.nextInt(lineBytes);
            while (line.length() < length) {
                line.append("word").append(random.nextInt(10_000)).append(' ');
            }
            if (letters) {
                line.setCharAt(3, '\u00FC');
            }
            some.add(line.toString());
            text.append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long written = 0; written < BYTES; written += bytes.length) {
                out.write(bytes);
            }
        }
    }

    @TearDown(Level.Trial)
    public void remove() throws IOException {
        Files.delete(file);
        Files.delete(directory);
    }

    @Benchmark
    public void bufferedReader(Blackhole sink) throws IOException {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(new FileInputStream(file.toFile()), UTF_8), 1 << 18)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                sink.consume(line);
            }
        }
    }

    @Benchmark
    public void linesPulled(Blackhole sink) throws IOException {
        Iterator<String> lines = new TextLines(
                new FileSplit(file.toString(), 0, Files.size(file)),
                FileSettings.DEFAULTS,
                BufferReservation.uncounted());
        while (lines.hasNext()) {
            sink.consume(lines.next());
        }
    }

    @Benchmark
    public void linesPushed(Blackhole sink) throws IOException {
        new TextLines(
                        new FileSplit(file.toString(), 0, Files.size(file)),
                        FileSettings.DEFAULTS,
                        BufferReservation.uncounted())
                .forEachRemaining(sink::consume);
    }

    /** Baseline: reads the bytes without splitting lines. */
    @Benchmark
    public long bytesAlone() throws IOException {
        long sum = 0;
        byte[] buffer = new byte[TextLines.BUFFER_BYTES];
        try (InputStream in = new FileInputStream(file.toFile())) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sum += read;
            }
        }
        return sum;
    }

    @Benchmark
    public int encodedInPlace() {
        byte[] buffer = new byte[1 << 16];
        int at = 0;
        for (String line : some) {
            if (line.length() * 3 > buffer.length - at) {
                at = 0;
            }
            at = TextOutput.encode(line, buffer, at);
        }
        return at;
    }

    @Benchmark
    public int encodedByCopy() {
        byte[] buffer = new byte[1 << 16];
        int at = 0;
        for (String line : some) {
            byte[] bytes = line.getBytes(UTF_8);
            if (bytes.length > buffer.length - at) {
                at = 0;
            }
            System.arraycopy(bytes, 0, buffer, at, bytes.length);
            at += bytes.length;
        }
        return at;
    }
}
