package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeatsTest {
    private static final boolean PENDING = true;
    private static final boolean NOTHING = false;
    private static final boolean PROGRESS = true;
    private static final boolean NO_PROGRESS = false;

    private final Beats beats = new Beats(AllocatorRules.DEFAULTS.pace());
    private long now = -1;

    @Test
    void slowsDownWhileAsksAreOpenToTheIdleInterval() {
        for (long each : new long[] {100, 150, 225, 337, 506, 759, 1139, 1708, 2562, 3000, 3000}) {
            assertEquals(each, answered(PENDING, NO_PROGRESS));
        }
        assertEquals(100, answered(PENDING, PROGRESS));
        assertEquals(3000, answered(NOTHING, PROGRESS));
    }

    @Test
    void beatsForOrdersAtOnceButNotWithin100MillisecondsOfAnAnswer() {
        assertEquals(Duration.ZERO, beats.ordered(now, true));
        answered(NOTHING, NO_PROGRESS);
        pass(50);

        assertEquals(Duration.ofMillis(50), beats.ordered(now, false));
        pass(1000);
        assertEquals(Duration.ZERO, beats.ordered(now, false));
    }

    @Test
    void beatsAgainForOrdersThatMayHaveMissedTheBeatUnderWay() {
        answered(NOTHING, NO_PROGRESS);
        pass(3000);
        beats.ordered(now, false);
        pass(1);

        assertEquals(100, answered(NOTHING, NO_PROGRESS));
        assertEquals(3000, answered(NOTHING, NO_PROGRESS));
        beats.ordered(now, false); // with an answer no beat is under way
        assertEquals(3000, answered(NOTHING, NO_PROGRESS));
    }

    @Test
    void neverBeatsMoreSlowlyThanTheIdleInterval() {
        Beats slow = new Beats(new AllocatorRules.Pace(Duration.ofSeconds(10), Duration.ofSeconds(1)));

        assertEquals(Duration.ofSeconds(1), slow.answered(PENDING, NO_PROGRESS, now));
    }

    @Test
    void beatsQuicklyForOpenAsksWhileAResourceManagerThatCameBackMayGrantNothing() {
        for (int beat = 0; beat < 9; beat++) {
            answered(PENDING, NO_PROGRESS);
        }
        beats.recovered(now);

        for (long each : new long[] {100, 150, 225, 337, 500, 500, 500, 500, 500, 500}) {
            assertEquals(each, answered(PENDING, NO_PROGRESS));
        }
        assertEquals(3000, answered(NOTHING, NO_PROGRESS));
        pass(15_000);
        assertEquals(3000, answered(PENDING, NO_PROGRESS));
    }

    private long answered(boolean pending, boolean progress) {
        return beats.answered(pending, progress, now).toMillis();
    }

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }
}
