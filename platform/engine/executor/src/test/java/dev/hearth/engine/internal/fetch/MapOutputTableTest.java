package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.dag.TestingOutputs;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.protocol.LocationMessages;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An executor has the same locations as its driver, after full tables and after changes; malformed messages are
 * refused by name.
 */
class MapOutputTableTest {
    private static final int SHUFFLE = 7;

    private static UpdateLocations all(TestingOutputs outputs) {
        return LocationMessages.all(outputs.places(), TestingOutputs::address);
    }

    private static UpdateLocations changed(TestingOutputs outputs, long since) {
        int[] maps = outputs.places().changedSince(since).orElseThrow();
        return LocationMessages.changed(outputs.places(), since, maps, TestingOutputs::address);
    }

    private static void requireSame(MapOutputLocations places, MapOutputTable table) {
        assertEquals(places.maps(), table.maps());
        for (int map = 0; map < places.maps(); map++) {
            MapOutputLocation there = places.holder(map).orElse(null);
            assertEquals(there == null, table.missing().contains(map));
            if (there != null) {
                ExecutorId executor = there.executor();
                assertEquals(
                        new BlockServerAddress(executor, there.host(), TestingOutputs.address(executor)),
                        table.holder(map));
            }
        }
    }

    private static TestingOutputs outputs(int maps, int executors) {
        TestingOutputs outputs = new TestingOutputs(SHUFFLE, maps);
        for (int map = 0; map < maps; map++) {
            outputs.register(map, TestingOutputs.executor(map % executors));
        }
        return outputs;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void matchesTheTableOfTheDriver(long seed) {
        Random random = new Random(seed);
        int maps = 1 + random.nextInt(300);
        TestingOutputs outputs = new TestingOutputs(SHUFFLE, maps);
        MapOutputTable table = MapOutputTable.of(all(outputs), null);
        requireSame(outputs.places(), table);
        for (int step = 0; step < 100; step++) {
            long told = outputs.places().epoch();
            for (int changes = random.nextInt(20); changes > 0; changes--) {
                int map = random.nextInt(maps);
                outputs.drop(map);
                if (random.nextInt(5) > 0) {
                    outputs.register(map, TestingOutputs.executor(random.nextInt(50)));
                }
            }
            boolean isWhole = random.nextInt(10) == 0;
            table = MapOutputTable.of(isWhole ? all(outputs) : changed(outputs, told), table);
            requireSame(outputs.places(), table);
        }
    }

    @Test
    void manyLocationsTakeFewBytes() {
        TestingOutputs outputs = outputs(10_000, 10_000);
        int bytes = all(outputs).holderOf().size();
        assertTrue(bytes < 150_000, () -> bytes + " bytes for 10,000 map tasks on as many executors");
        int ofFew = all(outputs(10_000, 100)).holderOf().size();
        assertTrue(ofFew < 3_000, () -> ofFew + " bytes for 10,000 map tasks on 100 executors in turn");
        long told = outputs.places().epoch();
        for (int map = 0; map < 8; map++) {
            outputs.move(map, TestingOutputs.executor(map), TestingOutputs.executor(9));
        }
        int ofChanges = changed(outputs, told).holderOf().size();
        assertTrue(ofChanges < 150, () -> ofChanges + " bytes for eight that moved to one executor");
    }

    @Test
    void readsTablesOfSendersWithoutEpochs() {
        List<BlockServerAddress> holders = List.of(
                new BlockServerAddress(new ExecutorId("a"), "left", "left:1"),
                new BlockServerAddress(new ExecutorId("b"), "right", ""));
        MapOutputTable table = MapOutputTable.of(
                new UpdateLocations(SHUFFLE, 3, holders, Bytes.owning(new byte[] {2, 0, 1}), 0, 0), null);
        assertEquals(holders.get(1), table.holder(0));
        assertEquals(List.of(1), table.missing());
        assertEquals(holders.get(0), table.holder(2));
        requireRefusal(new UpdateLocations(SHUFFLE, 4, holders, Bytes.owning(new byte[] {2, 0, 1}), 0, 0), null);
        requireRefusal(new UpdateLocations(SHUFFLE, 3, holders, Bytes.owning(new byte[] {2, 0, 3}), 0, 0), null);
        requireRefusal(new UpdateLocations(SHUFFLE, 3, holders, Bytes.owning(new byte[] {2, 0, -1}), 0, 0), null);
        requireRefusal(new UpdateLocations(SHUFFLE, -1, holders, Bytes.EMPTY, 0, 0), null);
        requireRefusal(new UpdateLocations(SHUFFLE, Integer.MAX_VALUE, holders, Bytes.EMPTY, 0, 0), null);
    }

    private static void requireRefusal(UpdateLocations message, @Nullable MapOutputTable before) {
        HearthException refusal = assertThrows(HearthException.class, () -> MapOutputTable.of(message, before));
        requireNamed(refusal);
    }

    private static void requireNamed(HearthException refusal) {
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), refusal.code());
        String text = Objects.requireNonNull(refusal.getMessage());
        assertTrue(text.startsWith("map output locations of shuffle " + SHUFFLE + ": "), text);
    }

    @Test
    void refusesChangesWithoutTheirBase() {
        TestingOutputs outputs = outputs(20, 3);
        MapOutputTable table = MapOutputTable.of(all(outputs), null);
        long told = outputs.places().epoch();
        outputs.drop(3);
        long missed = outputs.places().epoch();
        outputs.drop(4);
        requireRefusal(changed(outputs, told), null);
        requireRefusal(changed(outputs, missed), table);
        requireSame(outputs.places(), MapOutputTable.of(changed(outputs, told), table));
    }

    /** Random bytes are either a valid table or refused; map task numbers never exceed the table. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void anyBytesAreLocationsOrRefused(long seed) {
        Random random = new Random(seed);
        TestingOutputs outputs = outputs(1 + random.nextInt(60), 1 + random.nextInt(20));
        UpdateLocations whole = all(outputs);
        MapOutputTable table = MapOutputTable.of(whole, null);
        long told = outputs.places().epoch();
        IntStream.range(0, 10).forEach(i -> outputs.drop(random.nextInt(whole.maps())));
        List<UpdateLocations> right = List.of(whole, changed(outputs, told));
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            UpdateLocations one = right.get(i % 2);
            byte[] bytes = damaged(one.holderOf().toArray(), random);
            UpdateLocations message = new UpdateLocations(
                    one.shuffle(), one.maps(), one.holders(), Bytes.owning(bytes), one.epoch(), one.since());
            try {
                assertEquals(one.maps(), MapOutputTable.of(message, table).maps());
            } catch (HearthException refusal) {
                requireNamed(refusal);
                refused++;
            }
        }
        assertTrue(refused > 1_000, "hardly anything was damaged");
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        int kept = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        byte[] other = Arrays.copyOf(bytes, kept);
        for (int flips = 1 + random.nextInt(3); flips > 0 && other.length > 0; flips--) {
            int at = random.nextInt(random.nextBoolean() ? other.length : Math.min(8, other.length));
            other[at] = (byte) random.nextInt(256);
        }
        return other;
    }
}
