package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** Several resource profiles under random losses of executors. Each rule is checked by a planted fault that breaks it. */
class ProfileSimulationTest {
    private static final int SEEDS = 100;

    static LongStream seeds() {
        return Simulation.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void runsEachTaskOnceOnAnExecutorOfItsProfile(long seed) {
        new ProfileWorld(seed, ProfileFlaw.NONE).run();
    }

    @Test
    void coversAllProfilesOnBothKindsOfExecutors() {
        Map<String, Integer> seen = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            ProfileWorld world = new ProfileWorld(seed, ProfileFlaw.NONE);
            world.run();
            world.seen.forEach((what, count) -> seen.merge(what, count, Integer::sum));
        }
        Set<String> wanted = new TreeSet<>(Set.of("recalled task"));
        for (int profile = 0; profile < 3; profile++) {
            wanted.addAll(Set.of(
                    "set of profile " + profile,
                    "set of profile " + profile + " on default executors",
                    "loss of an executor of profile " + profile,
                    "idle executor of profile " + profile));
        }
        wanted.removeAll(seen.keySet());
        assertEquals(Set.of(), wanted, () -> "what did not happen; what did: " + seen);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void catchesEachPlantedFault(ProfileFlaw flaw) {
        Optional<String> found = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> failure(seed, flaw))
                .flatMap(Optional::stream)
                .filter(failure -> failure.contains(flaw.caughtBy()))
                .findFirst();
        assertTrue(
                found.isPresent(),
                () -> flaw + ": unnoticed (expected: noticed by '" + flaw.caughtBy() + "' within " + SEEDS + " seeds)");
    }

    private static Optional<String> failure(long seed, ProfileFlaw flaw) {
        try {
            new ProfileWorld(seed, flaw).run();
            return Optional.empty();
        } catch (AssertionError | IllegalStateException caught) {
            return Optional.of(String.valueOf(caught.getMessage()));
        }
    }
}
