package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.HearthException;
import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** End of an application that no machine could ever hold, in virtual time. */
class UnplaceableBoundTest {
    private static final Duration BOUND = Duration.ofMinutes(2);

    private final ManualEventLoop loop = new ManualEventLoop();
    private final List<HearthException> ends = new ArrayList<>();
    private boolean hasExecutors;
    private final UnplaceableBound bound = bound(Optional.of(BOUND));

    private UnplaceableBound bound(Optional<Duration> time) {
        return new UnplaceableBound("pi", loop, time, () -> hasExecutors, ends::add);
    }

    @Test
    void endsTheApplicationAfterTheTimeOfTheFirstReport() {
        bound.unplaceable("8 cores");
        loop.pass(BOUND.dividedBy(2));
        bound.unplaceable("9 cores");
        assertEquals(List.of(), ends);
        loop.pass(BOUND.dividedBy(2));
        assertEquals(1, ends.size());
        assertEquals("EXECUTORS_FAILED", ends.get(0).code());
        assertEquals(
                "application pi: no executors within 120000 ms (hearth.scheduler.unplaceableTimeout): 9 cores",
                ends.get(0).getMessage());
    }

    @Test
    void waitsWhileTheApplicationHasExecutorsOrAMachineIsLargeEnough() {
        bound.unplaceable("8 cores");
        bound.placeable();
        bound.placeable();
        loop.pass(BOUND.multipliedBy(2));
        hasExecutors = true;
        bound.unplaceable("8 cores");
        loop.pass(BOUND.multipliedBy(3));
        assertEquals(List.of(), ends);
        hasExecutors = false;
        loop.pass(BOUND);
        assertEquals(1, ends.size());
    }

    @Test
    void neverEndsAnApplicationWithoutTheSetting() {
        bound(Optional.empty()).unplaceable("8 cores");
        loop.pass(Duration.ofDays(300));
        assertEquals(List.of(), ends);
    }
}
