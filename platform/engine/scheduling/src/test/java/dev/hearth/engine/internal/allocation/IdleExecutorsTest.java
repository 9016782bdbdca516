package dev.hearth.engine.internal.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Release of idle executors: their order, their number, and the end of their protection. */
class IdleExecutorsTest {
    private static final SchedulerLoad ONE_TASK = new SchedulerLoad(1, 0, 0, 0, 0);

    private final List<ExecutorActivity> executors = new ArrayList<>();
    private final Map<String, ShuffleUse> outputs = new HashMap<>();
    private long now = 1_000_000_000_000L;

    private final ExecutorData holdings = new ExecutorData() {
        @Override
        public boolean holdsBlocks(ExecutorId executor) {
            return false;
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return outputs.getOrDefault(executor.value(), ShuffleUse.NONE);
        }
    };

    private static ExecutorAllocation allocation(String idleTimeout, int executorsMin) {
        return new ExecutorAllocation(AllocationSettings.from(Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "hearth.executor.cores",
                                "1",
                                "hearth.dynamicAllocation.minExecutors",
                                String.valueOf(executorsMin),
                                "hearth.dynamicAllocation.executorIdleTimeout",
                                idleTimeout))));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void see(String executor, boolean busy) {
        executors.removeIf(seen -> seen.executor().value().equals(executor));
        executors.add(new ExecutorActivity(new ExecutorId(executor), 1, busy, now));
    }

    private List<String> released(ExecutorAllocation allocation, SchedulerLoad load) {
        return allocation.decide(load, executors, holdings, now).released().stream()
                .map(ExecutorId::value)
                .toList();
    }

    @Test
    void releasesTheLongestIdleFirst() {
        for (String executor : List.of("b", "c", "a")) {
            see(executor, false);
            pass(Duration.ofSeconds(1));
        }
        pass(Duration.ofMinutes(2));
        assertEquals(List.of("b", "c"), released(allocation("60s", 1), ONE_TASK), "one stays");
    }

    @Test
    void countsReleasedExecutorsAsGoneBeforeTheyAre() {
        List.of("a", "b", "c").forEach(executor -> see(executor, false));
        pass(Duration.ofMinutes(2));
        ExecutorAllocation allocation = allocation("60s", 1);
        assertEquals(2, released(allocation, ONE_TASK).size());
        assertEquals(List.of(), released(allocation, ONE_TASK), "the third one is wanted");
        executors.remove(0);
        assertEquals(List.of(), released(allocation, ONE_TASK));
    }

    @Test
    void protectsAnExecutorNoLongerOnceItHasRunATask() {
        ExecutorAllocation allocation = allocation("100ms", 0);
        see("a", false);
        outputs.put("a", ShuffleUse.NEEDED);
        pass(Duration.ofMillis(100));
        assertEquals(List.of(), released(allocation, SchedulerLoad.NONE), "protected, and not examined for a second");
        outputs.clear();
        pass(Duration.ofMillis(100));
        see("a", true);
        assertEquals(List.of(), released(allocation, ONE_TASK));
        see("a", false);
        pass(Duration.ofMillis(100));
        assertEquals(List.of("a"), released(allocation, SchedulerLoad.NONE));
    }

    @Test
    void examinesAProtectedExecutorOnceASecond() {
        ExecutorAllocation allocation = allocation("100ms", 0);
        see("a", false);
        outputs.put("a", ShuffleUse.NEEDED);
        pass(Duration.ofMillis(100));
        long examined = now;
        assertEquals(List.of(), released(allocation, SchedulerLoad.NONE));
        outputs.clear();
        pass(Duration.ofMillis(999));
        AllocationDecision early = allocation.decide(SchedulerLoad.NONE, executors, holdings, now);
        assertEquals(List.of(), List.copyOf(early.released()));
        assertEquals(OptionalLong.of(examined + Duration.ofSeconds(1).toNanos()), early.wakeNanos());
        pass(Duration.ofMillis(1));
        assertEquals(List.of("a"), released(allocation, SchedulerLoad.NONE));
    }
}
