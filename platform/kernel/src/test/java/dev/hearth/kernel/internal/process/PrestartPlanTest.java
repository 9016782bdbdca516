package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kernel.internal.process.PrestartPlan.Action;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrestartPlanTest {
    private static final long QUIET = 10;
    private static final long TIMEOUT = 100;
    private static final String ROLE = "executor";

    private final PrestartPlan<String> plan = new PrestartPlan<>(QUIET, TIMEOUT);

    private static Action<String> start(String start) {
        return new Action<>(ROLE, Optional.of(start));
    }

    private static Action<String> end() {
        return new Action<>(ROLE, Optional.empty());
    }

    /** Lets a child start at 0, so that a process waits from {@link #QUIET} on. */
    private void waits() {
        assertFalse(plan.childStarts(ROLE, "1g", 0));
        plan.passed(QUIET);
        assertEquals(List.of(start("1g")), plan.actions());
    }

    @Test
    void doesNothingBeforeTheFirstChild() {
        plan.passed(1_000);
        plan.childEnded(ROLE, 1_000);
        plan.lost(ROLE);
        assertEquals(List.of(), plan.actions());
        assertEquals(OptionalLong.empty(), plan.delayNanos(1_000));
    }

    @Test
    void startsAProcessOnceTheChildHasHadTimeToStart() {
        plan.childStarts(ROLE, "1g", 0);
        plan.passed(QUIET - 1);
        assertEquals(List.of(), plan.actions());
        assertEquals(OptionalLong.of(1), plan.delayNanos(QUIET - 1));
        plan.childStarts(ROLE, "1g", QUIET - 1); // another child: the time begins again
        plan.passed(QUIET);
        assertEquals(List.of(), plan.actions());
        plan.passed(2 * QUIET - 1);
        assertEquals(List.of(start("1g")), plan.actions());
    }

    @Test
    void startsAProcessAtOnceWhenAChildHasEnded() {
        plan.childStarts(ROLE, "1g", 0);
        plan.childEnded(ROLE, 3);
        assertEquals(OptionalLong.of(0), plan.delayNanos(3));
        plan.passed(3);
        assertEquals(List.of(start("1g")), plan.actions());
        plan.childEnded(ROLE, 4); // one waits already
        plan.passed(4);
        assertEquals(List.of(), plan.actions());
    }

    @Test
    void givesTheProcessToOneChild() {
        waits();
        assertTrue(plan.childStarts(ROLE, "1g", 50));
        assertFalse(plan.childStarts(ROLE, "1g", 50));
        assertEquals(List.of(), plan.actions());
        plan.passed(50 + QUIET);
        assertEquals(List.of(start("1g")), plan.actions());
    }

    @Test
    void endsAProcessThatTheNextChildCannotUse() {
        waits();
        assertFalse(plan.childStarts(ROLE, "2g", 50));
        assertEquals(List.of(end()), plan.actions());
        plan.passed(50 + QUIET);
        assertEquals(List.of(start("2g")), plan.actions());
        assertTrue(plan.childStarts(ROLE, "2g", 70));
    }

    @Test
    void keepsTheRolesApart() {
        waits();
        assertFalse(plan.childStarts("driver", "1g", 50));
        assertEquals(List.of(), plan.actions());
        assertTrue(plan.childStarts(ROLE, "1g", 51));
    }

    @Test
    void endsAProcessThatNobodyNeedsInTime() {
        waits();
        assertEquals(OptionalLong.of(TIMEOUT), plan.delayNanos(QUIET));
        plan.passed(QUIET + TIMEOUT - 1);
        assertEquals(List.of(), plan.actions());
        plan.passed(QUIET + TIMEOUT);
        assertEquals(List.of(end()), plan.actions());
        assertEquals(OptionalLong.empty(), plan.delayNanos(QUIET + TIMEOUT));
        assertFalse(plan.childStarts(ROLE, "1g", 200));
    }

    @Test
    void replacesAProcessThatEndedByItselfOnlyAfterTheNextChild() {
        waits();
        plan.lost(ROLE);
        plan.childEnded(ROLE, 20);
        plan.passed(1_000);
        assertEquals(List.of(), plan.actions());
        assertFalse(plan.childStarts(ROLE, "1g", 1_000));
        plan.passed(1_000 + QUIET);
        assertEquals(List.of(start("1g")), plan.actions());
    }

    /** Random events against a ledger of the processes that exist. */
    @Test
    void neverHasTwoProcessesOfARoleNorForgetsOne() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            PrestartPlan<String> tried = new PrestartPlan<>(QUIET, TIMEOUT);
            Map<String, Integer> waiting = new HashMap<>(); // processes of each role that run without a child
            Map<String, Long> since = new HashMap<>();
            long now = random.nextLong(); // the clock may overflow
            for (int step = 0; step < 300; step++) {
                String role = random.nextBoolean() ? ROLE : "driver";
                switch (random.nextInt(4)) {
                    case 0 -> {
                        if (tried.childStarts(role, "shape " + random.nextInt(2), now)) {
                            waiting.merge(role, -1, Integer::sum);
                        }
                    }
                    case 1 -> tried.childEnded(role, now);
                    case 2 -> {
                        if (waiting.getOrDefault(role, 0) > 0 && random.nextInt(5) == 0) {
                            tried.lost(role);
                            waiting.put(role, 0);
                        }
                    }
                    default -> now += random.nextInt(40);
                }
                tried.passed(now);
                for (Action<String> action : tried.actions()) {
                    waiting.merge(action.role(), action.start().isPresent() ? 1 : -1, Integer::sum);
                    since.put(action.role(), now);
                }
                Set<Integer> counts = new HashSet<>(waiting.values());
                counts.removeAll(Set.of(0, 1));
                assertEquals(Set.of(), counts, "seed " + seed + ", step " + step);
                for (Map.Entry<String, Integer> entry : waiting.entrySet()) {
                    if (entry.getValue() == 1) {
                        assertTrue(now - since.get(entry.getKey()) < TIMEOUT, "seed " + seed + ", step " + step);
                    }
                }
            }
        }
    }
}
