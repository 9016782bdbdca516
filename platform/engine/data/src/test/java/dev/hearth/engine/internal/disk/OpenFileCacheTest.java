package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many concurrent readers: few descriptors, and no reader is affected by the end of another. */
class OpenFileCacheTest {
    private static final int OPEN_MAX = 8;
    private static final long BOUND_SECONDS = 60;

    @TempDir
    Path directory;

    @Test
    @EnabledOnOs(OS.LINUX)
    void mergesManyFilesWithFewDescriptors() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, OPEN_MAX, directory);
        List<PartitionedFile> segments = new ArrayList<>();
        byte[] frame = TemporaryFileFixture.frame(new Random(1), 1_000, 3);
        for (int n = 0; n < 2_000; n++) {
            segments.add(fixture.write("spill " + n, List.of(List.of(frame, frame))));
        }
        long before = descriptors();
        List<SegmentInput> inputs = new ArrayList<>();
        RecordInput in = new RecordInput();
        for (PartitionedFile segment : segments) {
            inputs.add(segment.open(0));
        }
        assertEquals(0, fixture.disk.opened(), "opened when read");
        for (int round = 0; round < 2; round++) {
            for (SegmentInput input : inputs) {
                assertTrue(input.next(in));
                assertArrayEquals(frame, Arrays.copyOfRange(in.array(), in.position(), in.limit()));
                assertTrue(fixture.files.open() <= OPEN_MAX);
            }
        }
        assertEquals(OPEN_MAX, fixture.disk.open());
        assertEquals(before + OPEN_MAX, descriptors());
        inputs.forEach(SegmentInput::close);
        inputs.forEach(SegmentInput::close);
        assertEquals(0, fixture.disk.open());
        assertEquals(before, descriptors());
        fixture.files.close();
    }

    @Test
    void continuesFilesThatWereClosedForOthers() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, 1, directory);
        Random random = new Random(2);
        List<List<byte[]>> parts = TemporaryFileFixture.parts(random, 6, 6, 300_000);
        PartitionedFile segment = fixture.write("spill", parts);
        List<SegmentInput> inputs = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            inputs.add(segment.open(part));
        }
        RecordInput in = new RecordInput();
        for (int n = 0; n <= 6; n++) {
            for (int part = 0; part < parts.size(); part++) {
                boolean more = inputs.get(part).next(in);
                assertEquals(n < parts.get(part).size(), more);
                if (more) {
                    assertArrayEquals(
                            parts.get(part).get(n), Arrays.copyOfRange(in.array(), in.position(), in.limit()));
                }
            }
        }
        inputs.forEach(SegmentInput::close);
        assertEquals(0, fixture.files.open());
        fixture.files.close();
    }

    @ParameterizedTest(name = "failing {0}")
    @ValueSource(booleans = {true, false})
    void aReaderThatWaitsGoesOnWhenTheReadOfAnotherEnds(boolean failing) throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        OpenFileCache files = new OpenFileCache(new HeldDisk(reading, released, failing), 1);
        FutureTask<Integer> first =
                new FutureTask<>(() -> files.reader(Path.of("held")).read(0, new byte[1], 0, 1));
        FutureTask<Integer> second = new FutureTask<>(() -> {
            int count = files.reader(Path.of("other")).read(0, new byte[1], 0, 1);
            assertTrue(Thread.interrupted(), "it was interrupted while it waited");
            return count;
        });
        new Thread(first, "first").start();
        assertTrue(reading.await(BOUND_SECONDS, TimeUnit.SECONDS));
        Thread waiting = new Thread(second, "second");
        waiting.setDaemon(true);
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            assertFalse(second.isDone(), "the only file is being read");
            Thread.onSpinWait();
        }
        waiting.interrupt();
        while (waiting.isInterrupted()) { // until it waits again
            Thread.onSpinWait();
        }
        released.countDown();
        assertEquals(1, second.get(BOUND_SECONDS, TimeUnit.SECONDS));
        if (failing) {
            assertThrows(ExecutionException.class, () -> first.get(BOUND_SECONDS, TimeUnit.SECONDS));
        } else {
            assertEquals(1, first.get(BOUND_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** Disk whose file {@code held} is read when it is released, or fails then. */
    private record HeldDisk(CountDownLatch reading, CountDownLatch released, boolean failing) implements Disk {
        @Override
        public OutputStream create(Path file) throws IOException {
            throw new IOException("read only");
        }

        @Override
        public DiskInput open(Path file) {
            return new DiskInput() {
                @Override
                public int read(long position, byte[] into, int at, int length) throws IOException {
                    if (!file.endsWith("held")) {
                        return length;
                    }
                    reading.countDown();
                    try {
                        assertTrue(released.await(BOUND_SECONDS, TimeUnit.SECONDS));
                    } catch (InterruptedException interrupt) {
                        throw new AssertionError(interrupt);
                    }
                    if (failing) {
                        throw new IOException("broken");
                    }
                    return length;
                }

                @Override
                public long size() {
                    return 1;
                }

                @Override
                public void close() {
                    // holds no resources
                }
            };
        }

        @Override
        public void delete(Path file) throws IOException {
            throw new IOException("read only");
        }
    }

    @Test
    void countsNoFileThatCannotBeOpenedOrRead() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, 2, directory);
        byte[] frame = TemporaryFileFixture.frame(new Random(5), 300_000, 256);
        PartitionedFile segment = fixture.write("spill", List.of(List.of(frame, frame)));
        RecordInput in = new RecordInput();
        try (SegmentInput begun = segment.open(0);
                SegmentInput other = segment.open(0)) {
            assertTrue(begun.next(in));
            assertEquals(1, fixture.files.open());
            fixture.disk.unreadable(true);
            assertThrows(CorruptFileException.class, () -> begun.next(in));
            assertEquals(0, fixture.files.open(), "a file whose read failed is closed");
            assertEquals(0, fixture.disk.open());
            assertThrows(CorruptFileException.class, () -> other.next(in));
            assertEquals(0, fixture.files.open(), "a file that cannot be opened");
        }
        fixture.files.close();
    }

    @Test
    void anInterruptedReaderStaysInterruptedAndAffectsNoOther() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, 2, directory);
        List<List<byte[]>> parts = TemporaryFileFixture.parts(new Random(3), 8, 20, 200_000);
        PartitionedFile segment = fixture.write("spill", parts);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        CountDownLatch started = new CountDownLatch(6);
        List<Future<Boolean>> readers = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            boolean interrupted = n % 2 == 0;
            readers.add(threads.submit(() -> {
                started.countDown();
                assertTrue(started.await(BOUND_SECONDS, TimeUnit.SECONDS));
                for (int round = 0; round < 3; round++) {
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)), "round " + round);
                }
                return Thread.interrupted();
            }));
        }
        for (int n = 0; n < 6; n++) {
            assertEquals(n % 2 == 0, readers.get(n).get(BOUND_SECONDS, TimeUnit.SECONDS));
        }
        threads.shutdown();
        assertTrue(threads.awaitTermination(BOUND_SECONDS, TimeUnit.SECONDS));
        assertEquals(0, fixture.disk.open());
        fixture.files.close();
    }

    @Test
    void anInterruptedWriterContinuesAndStaysInterrupted() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, directory);
        List<List<byte[]>> parts = TemporaryFileFixture.parts(new Random(4), 5, 5, 200_000);
        Thread.currentThread().interrupt();
        PartitionedFile segment = fixture.write("spill", parts);
        boolean still = Thread.interrupted();
        assertTrue(still, "whoever kills the task finds it told");
        assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)));
        fixture.files.close();
        assertFalse(Files.exists(Path.of(segment.file())));
    }

    @Test
    void concurrentWritesAndDeletesKeepTheCount() throws Exception {
        TemporaryFileFixture fixture =
                new TemporaryFileFixture(CompressionCodec.LZ4, directory.resolve("a"), directory.resolve("b"));
        fixture.disk.room(directory.resolve("a"), 2_000_000); // full after half of the file
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Long>> writers = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            Random random = new Random(100 + n);
            writers.add(threads.submit(() -> {
                long kept = 0;
                for (int round = 0; round < 60; round++) {
                    List<List<byte[]>> parts = TemporaryFileFixture.parts(random, 4, 4, 30_000);
                    PartitionedFile segment = fixture.write("spill", parts);
                    assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)));
                    if (random.nextInt(3) > 0) {
                        segment.delete();
                    } else {
                        kept += Files.size(Path.of(segment.file()));
                    }
                }
                return kept;
            }));
        }
        long kept = 0;
        for (Future<Long> writer : writers) {
            kept += writer.get(BOUND_SECONDS, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertEquals(kept, fixture.files.bytes());
        assertEquals(0, fixture.disk.open());
        fixture.files.close();
        assertEquals(List.of(), TemporaryFileFixture.segments(directory));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(OpenFileCacheTest::target)
                    .filter(target -> target.contains("/segment-"))
                    .count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "closed while listed: " + closed.getMessage().length();
        }
    }
}
