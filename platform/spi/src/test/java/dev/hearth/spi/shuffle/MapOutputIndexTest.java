package dev.hearth.spi.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Index files of map outputs, and the orders of a shuffle service, as other processes read them. */
class MapOutputIndexTest {
    private static MapOutputIndex random(long seed) {
        Random random = new Random(seed);
        int reducers = random.nextInt(300);
        long[] offsets = new long[reducers + 1];
        int[] records = new int[reducers];
        for (int reducer = 0; reducer < reducers; reducer++) {
            boolean isEmpty = random.nextInt(3) == 0;
            offsets[reducer + 1] = offsets[reducer] + (isEmpty ? 0 : random.nextLong(1L << random.nextInt(1, 40)));
            records[reducer] = isEmpty ? 0 : random.nextInt(Integer.MAX_VALUE);
        }
        return new MapOutputIndex(
                Optional.of("/local/segment-" + seed), seed, offsets[reducers] + 50, (int) seed, offsets, records);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, -6})
    void isReadAsItWasWritten(long seed) throws IOException {
        MapOutputIndex index = random(seed);
        MapOutputIndex read = MapOutputIndex.decode(index.encoded());
        assertEquals(index.file(), read.file());
        assertEquals(index.fileId(), read.fileId());
        assertEquals(index.fileBytes(), read.fileBytes());
        assertEquals(index.run(), read.run());
        assertArrayEquals(index.offsets(), read.offsets());
        assertArrayEquals(index.records(), read.records());
    }

    @Test
    void isRefusedIfAnyByteHasChangedOrIsMissing() {
        byte[] whole = random(7).encoded();
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            assertThrows(IOException.class, () -> MapOutputIndex.decode(flipped));
            byte[] cut = Arrays.copyOf(whole, at);
            assertThrows(IOException.class, () -> MapOutputIndex.decode(cut));
        }
    }

    @Test
    void findsSegments() {
        MapOutputIndex index =
                new MapOutputIndex(Optional.of("/f"), 9, 100, 0, new long[] {0, 10, 10, 30}, new int[] {1, 0, 2});
        assertEquals(Optional.of(new FileSegment("/f", 9, 0, 0, 10)), index.segment(0));
        assertEquals(Optional.empty(), index.segment(1));
        assertEquals(Optional.of(new FileSegment("/f", 9, 2, 10, 20)), index.segment(2));
    }

    @Test
    void ordersAreReadAsTheyWereWritten() {
        ShuffleServiceOrders orders = new ShuffleServiceOrders(
                ShuffleServiceOrders.holderOf("worker-1"),
                RpcAddress.parse("host:7078").orElseThrow(),
                "shuffle-app-1",
                List.of(Path.of("/a dir, with=signs"), Path.of("/b")));
        Settings settings = Settings.empty().with("orders", orders.asSettings());
        assertEquals(Optional.of(orders), ShuffleServiceOrders.find(settings));
        assertEquals(true, ShuffleServiceOrders.isService(orders.holder()));
        assertEquals(Optional.empty(), ShuffleServiceOrders.find(Settings.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a\nb\nc\nd", "a\nhost:1\nc"})
    void malformedOrdersAreRefused(String text) {
        Settings settings = Settings.empty().with("orders", Map.of(ShuffleServiceOrders.KEY, text));
        assertThrows(HearthException.class, () -> ShuffleServiceOrders.find(settings));
    }
}
