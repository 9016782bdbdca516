package dev.hearth.engine.internal.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.memory.TaskMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records and segments of a map output that are larger than pages, frames, the memory of the task or an array. */
@Timeout(120)
class LargeShuffleRecordsTest {
    private static final int SHUFFLE = 3;
    private static final int MAP = 0;
    private static final long AMPLE_BYTES = 64 << 20;

    @TempDir
    private Path directory;

    @Test
    void writesRecordsLargerThanPagesAndFrames() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty());
            byte[][] values = {new byte[200_000], new byte[3 << 20], new byte[10], new byte[1 << 20]};
            for (int at = 0; at < values.length; at++) {
                Arrays.fill(values[at], (byte) at);
                writer.pair("one", values[at]);
            }
            MapOutput output = writer.finish();
            assertEquals(0, memory.close());
            store.publish(output);
            for (boolean evicted : new boolean[] {false, true}) {
                if (evicted) {
                    store.evict(Long.MAX_VALUE);
                }
                List<@Nullable Object> all = new ArrayList<>();
                for (int reader = 0; reader < 2; reader++) {
                    all.addAll(parts.pairs(store.read(SHUFFLE, reader).get(0)));
                }
                ShuffleWriterTest.same(
                        Arrays.asList("one", values[0], "one", values[1], "one", values[2], "one", values[3]), all, "");
            }
        }
    }

    @Test
    void reservesMemoryForALargeRecordBeforeItIsWritten() throws Exception {
        long total = 16 << 20;
        try (TestingShuffleServices parts = new TestingShuffleServices(total, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty());
            List<@Nullable Object> expected = new ArrayList<>();
            for (int size : new int[] {100_000, 900_000, 5 << 20, 10, 9 << 20, 100_000, 9 << 20}) {
                byte[] value = new byte[size];
                Arrays.fill(value, (byte) size);
                writer.pair("one", value);
                expected.addAll(Arrays.asList("one", value));
            }
            assertTrue(memory.peak() > 9 << 20, "peak " + memory.peak());
            assertTrue(memory.memorySpilled() > 0, "the second one has no room beside the first");
            store.publish(writer.finish());
            assertEquals(0, memory.close());
            List<@Nullable Object> all = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                all.addAll(parts.pairs(store.read(SHUFFLE, reader).get(0)));
            }
            ShuffleWriterTest.same(expected, all, "large");
        }
    }

    @Test
    void refusesARecordThatIsLargerThanItsMemory() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(16 << 20, directory)) {
            TaskMemory memory = parts.task();
            try (ShuffleWriter writer =
                    new ShuffleWriter(new ShuffleStore(parts), memory, SHUFFLE, MAP, 2, Optional.empty())) {
                writer.pair("one", new byte[1_000]);
                HearthException refused =
                        assertThrows(HearthException.class, () -> writer.pair("one", new byte[20 << 20]));
                assertEquals("MEMORY_EXHAUSTED", refused.code());
                assertTrue(refused.getMessage().startsWith("shuffle 3, map task 0: "), refused.getMessage());
            }
            assertEquals(0, memory.close());
            assertEquals(List.of(), parts.segments());
        }
    }

    @ParameterizedTest(name = "as bytes: {0}")
    @ValueSource(booleans = {false, true})
    void acceptsRecordsUpToTheLimitAfterAnyOthers(boolean asBytes) throws Exception {
        int bound = 300_000;
        ShuffleSettings settings = ShuffleSettings.DEFAULTS;
        try (TestingShuffleServices parts =
                new TestingShuffleServices(AMPLE_BYTES, directory, settings, CompressionCodec.LZ4, bound)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 1);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 1, Optional.empty());
            List<@Nullable Object> expected = new ArrayList<>();
            for (int length : new int[] {60_000, bound - 100, 120_000, 60_000, bound - 100}) {
                Object value = asBytes ? new byte[length] : "x".repeat(length);
                writer.pair(1, value);
                expected.addAll(Arrays.asList(1, value));
            }
            writer.spill(1);
            store.publish(writer.finish());
            assertEquals(0, memory.close());
            ShuffleWriterTest.same(expected, parts.pairs(store.read(SHUFFLE, 0).get(0)), "bound");
        }
    }

    @ParameterizedTest(name = "as bytes: {0}")
    @ValueSource(booleans = {false, true})
    void refusesARecordOverTheLimitAndLeavesNothing(boolean asBytes) throws Exception {
        int bound = 300_000;
        ShuffleSettings settings = ShuffleSettings.DEFAULTS;
        try (TestingShuffleServices parts =
                new TestingShuffleServices(AMPLE_BYTES, directory, settings, CompressionCodec.LZ4, bound)) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            try (ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty())) {
                writer.pair(1, asBytes ? new byte[90_000] : "x".repeat(90_000));
                HearthException refused = assertThrows(HearthException.class, () -> {
                    writer.pair(1, asBytes ? new byte[bound + 1] : "x".repeat(bound + 1));
                    writer.spill(1); // pairs that are not serialised yet
                });
                assertEquals("BAD_ARGUMENT", refused.code());
                assertTrue(refused.getMessage().contains("more than 300000 bytes serialised"), refused.getMessage());
            }
            assertEquals(0, memory.close());
            assertEquals(List.of(), parts.segments());
            assertEquals(0, parts.files().bytes());
        }
    }

    @Test
    void acceptsSegmentsLargerThanAnArray() throws Exception {
        int records = 2_200;
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 1);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 1, Optional.empty());
            byte[] value = new byte[1 << 20];
            for (int at = 0; at < records; at++) {
                writer.pair(at, value);
            }
            assertTrue(memory.memorySpilled() > Integer.MAX_VALUE, "spilled " + memory.memorySpilled());
            store.publish(writer.finish());
            assertEquals(0, memory.close());
            int[] read = {0};
            PairConsumer counting = (key, content) -> {
                assertEquals(read[0]++, key);
                assertEquals(value.length, content instanceof byte[] bytes ? bytes.length : -1);
            };
            store.read(SHUFFLE, 0).get(0).send(counting, new LazyRecordReader(parts::records));
            assertEquals(records, read[0]);
        }
    }
}
