package dev.hearth.engine.internal.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.memory.TaskMemory;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Order of the runs of a barrier stage that write the same map output. Run numbers are task numbers cut to an int, so they wrap. */
@Timeout(60)
class ShuffleRunOrderTest {
    private static final int SHUFFLE = 1;
    private static final int FORMER_RECORDS = 10;
    private static final int LATER_RECORDS = 20;

    @TempDir
    private Path directory;

    private static MapOutput output(ShuffleStore store, TestingShuffleServices parts, int records) throws Exception {
        TaskMemory memory = parts.task();
        ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, 0, 1, Optional.empty());
        for (int record = 0; record < records; record++) {
            writer.pair(record, record);
        }
        MapOutput output = writer.finish();
        assertEquals(0, memory.close());
        return output;
    }

    private static int records(ShuffleStore store) throws FetchFailedException {
        return store.read(SHUFFLE, 0).get(0).records();
    }

    @ParameterizedTest
    @CsvSource({
        "3, 4, true",
        "4, 3, false",
        "4, 4, false", // the first output of a run stays
        "2147483647, -2147483648, true", // the number has wrapped
        "-2147483648, 2147483647, false",
        "2147483600, -2147483600, true",
        "-1, 0, true",
    })
    void anOutputOfALaterRunReplacesTheFormerOne(int former, int later, boolean replaced) throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(64 << 20, directory, CompressionCodec.LZ4)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 1);
            store.publish(output(store, parts, FORMER_RECORDS), former);
            store.publish(output(store, parts, LATER_RECORDS), later);
            assertEquals(replaced ? LATER_RECORDS : FORMER_RECORDS, records(store));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, 4, true",
        "4, 3, false",
        "4, 4, true", // readers were sent to the copy
        "2147483647, -2147483648, true",
        "-2147483648, 2147483647, false",
    })
    void aMigratedOutputOfTheSameOrALaterRunReplacesTheFormerOne(int former, int migrated, boolean replaced)
            throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(64 << 20, directory, CompressionCodec.LZ4)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 1);
            store.publish(output(store, parts, FORMER_RECORDS), former);
            store.adopt(SHUFFLE, 0, new MapOutputFile(Optional.empty(), 1, migrated, new int[] {0}), Optional.empty());
            assertEquals(replaced ? 0 : FORMER_RECORDS, records(store));
        }
    }

    @Test
    void theRunOfAnOutputMigratesWithIt() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(64 << 20, directory, CompressionCodec.LZ4)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.adopt(SHUFFLE, 0, new MapOutputFile(Optional.empty(), 1, 7, new int[] {0}), Optional.empty());
            assertEquals(7, store.stored(SHUFFLE, 0).orElseThrow().run());
        }
    }
}
