package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.standalone.internal.worker.Supervised.Decision;
import dev.hearth.standalone.internal.worker.Supervised.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a supervised driver starts again, and when its end is final. */
class SupervisedTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now;

    /** The delays in seconds after runs of the given seconds, each of which ends with status 1. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(textBlock = """
                    0,                 1
                    0 0 0,             1 2 4
                    0 0 0 0 0 0 0 0 0, 1 2 4 8 16 32 60 60 60
                    4 4 4,             1 2 4
                    0 0 5 0 0,         1 2 1 2 4
                    5 6 7,             1 1 1
                    0 0 0 0 0 0 0 99,  1 2 4 8 16 32 60 1
                    """)
    void doublesItsDelayUntilADriverHasRunForAWhile(String runs, String delays) {
        Supervised driver = new Supervised(1, 0, OptionalInt.empty(), now);
        List<String> chosen = new ArrayList<>();
        int attempt = 1;
        for (String run : runs.split(" ", -1)) {
            now += Long.parseLong(run) * SECOND;
            Duration delay = driver.ended(OptionalInt.of(1), now).restartAfter().orElseThrow();
            chosen.add(String.valueOf(delay.toSeconds()));
            now += delay.toNanos();
            assertFalse(driver.permitted(attempt + 1, now));
            assertTrue(driver.due(attempt, now));
            attempt++;
        }
        assertEquals(delays, String.join(" ", chosen));
        assertEquals(attempt, driver.attempt());
        assertEquals(attempt - 1, driver.restarts());
    }

    /** An end with a status, empty if nothing could be started, and whether the driver starts again. */
    @ParameterizedTest(name = "status {0} -> {1}")
    @CsvSource({"0, false", "1, true", "2, true", "137, true", "143, true", ", false"})
    void startsAgainAfterAFailureOnly(Integer status, boolean again) {
        Supervised driver = new Supervised(1, 0, OptionalInt.empty(), now);
        Decision decision = driver.ended(status == null ? OptionalInt.empty() : OptionalInt.of(status), now);
        assertEquals(again, decision.restartAfter().isPresent());
        assertEquals(again ? State.BACKING_OFF : State.ENDED, driver.state());
    }

    /** Restarts on other workers count, too. */
    @ParameterizedTest(name = "at most {0}, {1} before -> {2}")
    @CsvSource({"0, 0, 0", "1, 0, 1", "3, 0, 3", "3, 2, 1", "3, 3, 0", "3, 9, 0"})
    void startsAgainAsOftenAsAllowed(int most, int before, int expected) {
        Supervised driver = new Supervised(5, before, OptionalInt.of(most), now);
        int restarts = 0;
        Decision decision = driver.ended(OptionalInt.of(1), now);
        while (decision.restartAfter().isPresent()) {
            assertFalse(driver.due(5 + restarts, now));
            assertTrue(driver.permitted(6 + restarts, now), "the delay was over before");
            restarts++;
            decision = driver.ended(OptionalInt.of(1), now);
        }
        assertEquals(expected, restarts);
        assertTrue(decision.note().startsWith("not restarted, as hearth.driver.supervise.maxRestarts"), decision::note);
    }

    @Test
    void endsForGoodOnceItsEndIsOrdered() {
        Supervised runs = new Supervised(1, 0, OptionalInt.empty(), now);
        assertFalse(runs.release(), "its process has to end first");
        assertEquals(Optional.empty(), runs.ended(OptionalInt.of(143), now).restartAfter());

        Supervised waits = new Supervised(1, 0, OptionalInt.empty(), now);
        waits.ended(OptionalInt.of(1), now);
        waits.permitted(2, now);
        assertTrue(waits.release(), "it has no process");
        assertFalse(waits.due(1, now + SECOND), "a delay that passes later starts nothing");
        assertEquals(State.ENDED, waits.state());
    }

    @Test
    void startsNothingWithoutItsDelayAndThePermissionForThatAttempt() {
        Supervised driver = new Supervised(1, 0, OptionalInt.empty(), now);
        assertFalse(driver.permitted(2, now), "it runs");
        driver.ended(OptionalInt.of(1), now);
        assertFalse(driver.due(1, now));
        assertFalse(driver.permitted(3, now));
        assertTrue(driver.permitted(2, now));
        driver.ended(OptionalInt.of(1), now);
        assertFalse(driver.permitted(2, now));
        assertFalse(driver.due(1, now), "the delay of an earlier attempt");
        assertFalse(driver.permitted(3, now));
        assertTrue(driver.due(2, now));
    }

    @Test
    void movesAsItsTableSays() {
        assertEquals(
                List.of("RUNNING to BACKING_OFF", "RUNNING to ENDED", "BACKING_OFF to RUNNING", "BACKING_OFF to ENDED"),
                Stream.of(State.values())
                        .flatMap(from ->
                                Stream.of(State.values()).filter(from::leadsTo).map(to -> from + " to " + to))
                        .toList());
    }
}
