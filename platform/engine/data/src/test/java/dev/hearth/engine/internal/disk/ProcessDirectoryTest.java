package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.CompressionCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Directories of killed processes are removed by the next process; those of living ones are not. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessDirectoryTest {
    private static final long BOUND_SECONDS = 60;
    private static final List<List<byte[]>> SOME = List.of(List.of(new byte[1_000]));

    @TempDir
    Path directory;

    @Test
    void removesFilesOfKilledProcessesOnly() throws Exception {
        try (SegmentProcess killed = SegmentProcess.start(directory);
                SegmentProcess alive = SegmentProcess.start(directory)) {
            killed.kill();
            assertTrue(Files.exists(killed.file()), "left behind");

            TemporaryFileFixture next = new TemporaryFileFixture(CompressionCodec.LZ4, directory);
            assertTrue(Files.exists(killed.file()), "nothing is looked at before the first write");
            next.write("spill", SOME);
            assertFalse(Files.exists(killed.file()));
            assertTrue(Files.exists(alive.file()));
            next.files.close();
            assertEquals(2, entries().size(), () -> "of the living one, a directory and its lock: " + entries());
            assertEquals("whole", alive.ask("read"), "nobody touched it");
            assertEquals("closed", alive.ask("close"));
            assertEquals(List.of(), entries());
        }
    }

    @Test
    void doesNotTouchOtherApplicationsOfItsProcess() throws Exception {
        TemporaryFileFixture one = new TemporaryFileFixture(CompressionCodec.LZ4, directory);
        PartitionedFile kept = one.write("spill", SOME);
        TemporaryFileFixture other =
                new TemporaryFileFixture(CompressionCodec.LZ4, directory); // the same token: uses another name
        PartitionedFile others = other.write("spill", SOME);
        try (SegmentProcess stranger = SegmentProcess.start(directory)) {
            assertEquals(6, entries().size(), "three, as all hold their locks still");
            assertTrue(TemporaryFileFixture.same(SOME, TemporaryFileFixture.read(kept)));
            other.files.close();
            assertFalse(Files.exists(Path.of(others.file())));
            assertTrue(TemporaryFileFixture.same(SOME, TemporaryFileFixture.read(kept)));
            stranger.kill();
        }
        one.files.close();
        new TemporaryFileFixture(CompressionCodec.LZ4, directory).write("spill", SOME);
        assertEquals(2, entries().size());
    }

    @Test
    void leavesForeignFilesAlone() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path precious = Files.writeString(elsewhere.resolve("precious"), "kept");
        Path local = Files.createDirectory(directory.resolve("local"));
        Files.createDirectory(local.resolve("hearth-1-abc-0123")); // without a lock file: not created by Hearth
        Files.writeString(local.resolve("hearth-notes.lock"), "");
        Files.writeString(local.resolve("hearth-2-abc-0123.lock"), "");
        Files.createSymbolicLink(local.resolve("hearth-2-abc-0123"), elsewhere);
        Files.writeString(local.resolve("hearth-3-abc-0123.lock"), "");
        Path left = Files.createDirectories(local.resolve("hearth-3-abc-0123/00"));
        Files.createSymbolicLink(left.resolve("segment-1"), precious);
        Files.createSymbolicLink(left.resolve("more"), elsewhere);
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, local);
        fixture.write("spill", SOME);
        fixture.files.close();
        assertEquals("kept", Files.readString(precious));
        List<String> names = TemporaryFileFixture.below(local).stream()
                .map(path -> path.getFileName().toString())
                .toList();
        assertEquals(List.of("hearth-1-abc-0123", "hearth-2-abc-0123", "hearth-notes.lock"), names);
    }

    @Test
    void concurrentStartsRemoveLeftoversOnceAndKeepTheirOwn() throws Exception {
        List<Path> left = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            Files.writeString(directory.resolve("hearth-" + n + "-abc-01.lock"), "");
            left.add(Files.createDirectories(directory.resolve("hearth-" + n + "-abc-01/0" + n % 8)));
        }
        Random random = new Random(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<PartitionedFile>> starts = new ArrayList<>();
        List<LocalTemporaryFiles> all = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, directory);
            all.add(fixture.files);
            starts.add(threads.submit(() -> fixture.write("spill " + random.nextInt(9), SOME)));
        }
        for (Future<PartitionedFile> start : starts) {
            assertTrue(TemporaryFileFixture.same(
                    SOME, TemporaryFileFixture.read(start.get(BOUND_SECONDS, TimeUnit.SECONDS))));
        }
        threads.shutdown();
        assertTrue(left.stream().noneMatch(Files::exists));
        assertEquals(16, entries().size());
        all.forEach(LocalTemporaryFiles::close);
        assertEquals(List.of(), entries());
    }

    private List<Path> entries() {
        try (var entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Process with one temporary file below a directory, which obeys orders of its test. Ended by the test. */
    private record SegmentProcess(Process process, BufferedReader answers, Path file) implements AutoCloseable {
        static SegmentProcess start(Path directory) throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            TemporaryFileProcess.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            System.err.println("started process " + process.pid());
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String file = answers.readLine();
            if (file == null) {
                process.destroyForcibly();
                throw new IOException("the process wrote no segment");
            }
            return new SegmentProcess(process, answers, Path.of(file));
        }

        String ask(String what) throws IOException {
            process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return String.valueOf(answers.readLine());
        }

        void kill() throws Exception {
            process.destroyForcibly();
            assertTrue(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS));
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
