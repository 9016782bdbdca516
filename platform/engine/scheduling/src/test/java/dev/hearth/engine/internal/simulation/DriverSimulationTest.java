package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.testkit.Simulation;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random jobs on a simulated driver and executors under random faults. Each job has the right result or a documented
 * failure, no attempt counts twice, no slot is lost, and everything ends. Each rule is checked by a planted fault
 * that breaks it.
 */
class DriverSimulationTest {
    private static final int SEEDS_TO_CATCH_A_FLAW_MAX = 200;
    private static final int SEEDS_TO_SEE_EVERYTHING = 100;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsEveryJobCorrectlyUnderFaults(long seed) {
        DriverWorld world = new DriverWorld(seed, DriverFlaw.NONE);
        world.run();
        assertTrue(world.ledger.seen().getOrDefault("stage", 0) > 0, "something ran");
    }

    @Test
    void coversAllKindsOfFaults() {
        Map<String, Integer> seen = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS_TO_SEE_EVERYTHING; seed++) {
            DriverWorld world = new DriverWorld(seed, DriverFlaw.NONE);
            world.run();
            world.ledger.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
            seen.merge("executor STAYED", world.stayed(), Integer::sum);
        }
        Set<String> wanted = new TreeSet<>(Set.of(
                "job COMPLETED",
                "job JOB_CANCELLED",
                "job STAGE_FAILED",
                "job TASK_FAILED",
                "job TOO_FEW_SLOTS",
                "stage AGAIN",
                "set BROKEN",
                "copy SUCCEEDED"));
        for (TaskOutcome outcome : TaskOutcome.values()) {
            wanted.add("attempt " + outcome);
        }
        wanted.add("executor STAYED");
        seen.values().removeIf(count -> count == 0);
        wanted.removeAll(seen.keySet());
        assertEquals(Set.of(), wanted, () -> "what did not happen; what did: " + seen);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void catchesEachPlantedFault(DriverFlaw flaw) {
        Optional<String> found = LongStream.rangeClosed(1, SEEDS_TO_CATCH_A_FLAW_MAX)
                .mapToObj(seed -> failure(seed, flaw))
                .flatMap(Optional::stream)
                .filter(failure -> failure.contains(flaw.caughtBy())) // another rule may catch it, too
                .findFirst();
        assertTrue(
                found.isPresent(),
                () -> flaw + ": unnoticed (expected: noticed by '" + flaw.caughtBy() + "' within "
                        + SEEDS_TO_CATCH_A_FLAW_MAX + " seeds)");
        assertTrue(found.get().contains("DriverSimulationTest#"), found::get);
    }

    @Test
    void isDeterministic() {
        assertEquals(fingerprint(5), fingerprint(5));
        assertNotEquals(fingerprint(5), fingerprint(6));
    }

    private static long fingerprint(long seed) {
        DriverWorld world = new DriverWorld(seed, DriverFlaw.NONE);
        world.run();
        return world.simulation.fingerprint();
    }

    private static Optional<String> failure(long seed, DriverFlaw flaw) {
        try {
            new DriverWorld(seed, flaw).run();
            return Optional.empty();
        } catch (AssertionError caught) {
            return Optional.of(String.valueOf(caught.getMessage()));
        }
    }
}
