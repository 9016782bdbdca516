package dev.hearth.engine.internal.driver.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.dag.TestingOutputs;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that executors with the same epoch get the same message, which is serialised once. */
class MapOutputUpdatesTest {
    private static final int SHUFFLE = 3;
    private static final int MAPS = 1_000;

    private final MapOutputUpdates places = new MapOutputUpdates(TestingOutputs::address);
    private final TestingOutputs outputs = new TestingOutputs(SHUFFLE, MAPS);

    MapOutputUpdatesTest() {
        for (int map = 0; map < MAPS; map++) {
            outputs.register(map, TestingOutputs.executor(map % 100));
        }
    }

    private UpdateLocations since(long calls) {
        return places.since(calls, outputs.places()).orElseThrow();
    }

    @Test
    void sendsTheFullTableOnceWithoutAnEpoch() {
        UpdateLocations calls = since(0);
        assertEquals(0, calls.since());
        assertSame(calls, since(0));
        assertEquals(Optional.empty(), places.since(calls.epoch(), outputs.places()));
    }

    @Test
    void sendsTheDifferencesSinceAKnownEpoch() {
        long first = since(0).epoch();
        outputs.move(7, TestingOutputs.executor(7), TestingOutputs.executor(8));
        long second = since(first).epoch();
        outputs.drop(9);
        UpdateLocations ofFirst = since(first);
        UpdateLocations ofSecond = since(second);
        assertEquals(first, ofFirst.since());
        assertEquals(second, ofSecond.since());
        assertEquals(ofFirst.epoch(), ofSecond.epoch());
        assertSame(ofFirst, since(first));
        assertTrue(ofFirst.holderOf().size() < 100, "the locations of two map tasks");
        assertTrue(ofSecond.holderOf().size() < ofFirst.holderOf().size());
    }

    @Test
    void sendsTheFullTableForAnOldEpoch() {
        long first = since(0).epoch();
        for (int map = 0; map < MAPS / 2; map++) {
            outputs.drop(map);
        }
        assertEquals(0, since(first).since());
        assertSame(since(0), since(first));
    }

    @Test
    void serialisesAForgottenShuffleAgain() {
        UpdateLocations calls = since(0);
        places.forget(SHUFFLE);
        assertEquals(calls, since(0));
    }
}
