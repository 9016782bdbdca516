package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks requests, replies and timers among processes under all faults: the invariants hold for every seed, and each
 * invariant detects the mistake that it is meant for.
 */
class RequestReplyTest {
    private static final int SEEDS_TO_CATCH_A_FLAW_MAX = 200;

    static LongStream seeds() {
        return Simulation.seeds(1_000);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsPromisesWhateverHappens(long seed) {
        OrderWorld world = new OrderWorld(seed, OrderFlaw.NONE);
        world.run();
        assertTrue(world.remarks() > 0, "somebody was heard");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void noticesEachFlaw(OrderFlaw flaw) {
        Optional<String> found = LongStream.rangeClosed(1, SEEDS_TO_CATCH_A_FLAW_MAX)
                .mapToObj(seed -> failure(seed, flaw))
                .flatMap(Optional::stream)
                .findFirst();
        assertTrue(
                found.isPresent(),
                () -> flaw + ": unnoticed (expected: noticed within " + SEEDS_TO_CATCH_A_FLAW_MAX + " seeds)");
        assertTrue(found.get().contains("'" + flaw.caughtBy() + "'"), found::get);
        assertTrue(found.get().contains("RequestReplyTest#"), found::get);
    }

    @Test
    void isTheSameEveryTimeForOneSeed() {
        assertEquals(fingerprint(5), fingerprint(5));
        assertNotEquals(fingerprint(5), fingerprint(6));
    }

    private static long fingerprint(long seed) {
        OrderWorld world = new OrderWorld(seed, OrderFlaw.NONE);
        world.run();
        return world.fingerprint();
    }

    private static Optional<String> failure(long seed, OrderFlaw flaw) {
        OrderWorld world = new OrderWorld(seed, flaw);
        try {
            world.run();
            return Optional.empty();
        } catch (AssertionError caught) {
            return Optional.of(String.valueOf(caught.getMessage()));
        }
    }
}
