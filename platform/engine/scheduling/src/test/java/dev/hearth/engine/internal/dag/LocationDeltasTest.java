package dev.hearth.engine.internal.dag;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locations of an old epoch plus the recorded changes equal the current locations. */
class LocationDeltasTest {
    private static final int REMEMBERED = 64; // changes of any shuffle
    private static final int SHUFFLE = 3;

    private static List<String> all(MapOutputLocations places) {
        List<String> all = new ArrayList<>();
        for (int map = 0; map < places.maps(); map++) {
            all.add(String.valueOf(places.holder(map)));
        }
        return all;
    }

    /** The locations as sent at an epoch. */
    private record Known(long epoch, List<String> holders) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void changesTurnOldLocationsIntoCurrentOnes(long seed) {
        Random random = new Random(seed);
        int maps = 1 + random.nextInt(400);
        TestingOutputs outputs = new TestingOutputs(SHUFFLE, maps);
        MapOutputLocations places = outputs.places();
        List<Known> known = new ArrayList<>(List.of(new Known(places.epoch(), all(places))));
        int understood = 0;
        for (int step = 0; step < 600; step++) {
            change(outputs, random);
            if (random.nextInt(4) == 0) {
                known.add(new Known(places.epoch(), all(places)));
            }
            Known one = known.get(known.size() - 1 - random.nextInt(Math.min(known.size(), 20)));
            Optional<int[]> changed = places.changedSince(one.epoch);
            assertTrue(changed.isPresent() || places.epoch() - one.epoch > REMEMBERED / 2);
            if (changed.isPresent()) {
                understood++;
                List<String> then = new ArrayList<>(one.holders);
                List<String> now = all(places);
                IntStream.of(changed.get()).forEach(map -> then.set(map, now.get(map)));
                assertEquals(now, then);
                assertArrayEquals(
                        IntStream.of(changed.get()).sorted().distinct().toArray(), changed.get());
            }
        }
        assertTrue(understood > 100, () -> understood(seed));
    }

    private static String understood(long seed) {
        return "seed " + seed + ": hardly anything was remembered";
    }

    private static void change(TestingOutputs outputs, Random random) {
        MapOutputLocations places = outputs.places();
        int map = random.nextInt(places.maps());
        ExecutorId some = TestingOutputs.executor(random.nextInt(5));
        switch (random.nextInt(8)) {
            case 0 -> outputs.drop(map);
            case 1 -> places.holder(map).ifPresent(there -> outputs.move(map, there.executor(), some));
            case 2 -> {
                if (random.nextInt(10) == 0) {
                    outputs.lose(some);
                }
            }
            default -> outputs.register(map, some);
        }
    }

    @Test
    void recordsNothingBeforeTheFirstRead() {
        LocationDeltas changes = new LocationDeltas(10, 7);
        long first = changes.epoch();
        assertTrue(first > 7);
        changes.add(3);
        assertFalse(changes.since(first).isPresent());
        changes.startRecording();
        long second = changes.epoch();
        changes.add(5);
        changes.add(2);
        changes.add(5);
        assertArrayEquals(new int[] {2, 5}, changes.since(second).orElseThrow());
        assertArrayEquals(new int[] {}, changes.since(changes.epoch()).orElseThrow());
        assertFalse(changes.since(changes.epoch() + 1).isPresent());
        assertFalse(changes.since(0).isPresent());
    }

    @Test
    void aShuffleCreatedAgainHasOtherEpochs() {
        MapOutputTracker shuffles = new MapOutputTracker(false);
        ShuffleStatus first = shuffles.findOrCreate(SHUFFLE, 2);
        first.register(0, "a", "host", 1);
        long sent = first.places().epoch();
        shuffles.forget(SHUFFLE);
        shuffles.sweep(shuffle -> false);
        ShuffleStatus second = shuffles.findOrCreate(SHUFFLE, 2);
        assertTrue(second.places().epoch() > sent);
        assertFalse(Objects.requireNonNull(shuffles.find(SHUFFLE))
                .changedSince(sent)
                .isPresent());
    }
}
