package dev.hearth.engine.internal.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests the rules of dynamic allocation one by one, in virtual time. */
class ExecutorAllocationTest {
    private static final long SECOND = 1_000_000_000L;

    private final Map<String, String> conf = new HashMap<>(Map.of("hearth.executor.cores", "1"));
    private final List<ExecutorActivity> executors = new ArrayList<>();
    private final Set<String> holding = new TreeSet<>();
    private final Map<String, ShuffleUse> outputs = new HashMap<>();
    private OptionalLong wake = OptionalLong.empty();
    private long now = 1000 * SECOND;

    private final ExecutorData holdings = new ExecutorData() {
        @Override
        public boolean holdsBlocks(ExecutorId executor) {
            return holding.contains(executor.value());
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return outputs.getOrDefault(executor.value(), ShuffleUse.NONE);
        }
    };

    private ExecutorAllocation allocation() {
        return new ExecutorAllocation(settings());
    }

    private AllocationSettings settings() {
        return AllocationSettings.from(Settings.empty().with("--conf", conf));
    }

    private void set(String key, Object value) {
        conf.put("hearth.dynamicAllocation." + key, String.valueOf(value));
    }

    private void idle(String... ids) {
        for (String id : ids) {
            executors.add(new ExecutorActivity(new ExecutorId(id), 1, false, now));
        }
    }

    private Set<ExecutorId> decide(ExecutorAllocation allocation, SchedulerLoad load) {
        AllocationDecision decision = allocation.decide(load, executors, holdings, now);
        assertEquals(allocation.wanted(), decision.wanted());
        wake = decision.wakeNanos();
        return decision.released();
    }

    private int wanted(ExecutorAllocation allocation, SchedulerLoad load, double afterSeconds) {
        now += (long) (afterSeconds * SECOND);
        decide(allocation, load);
        return allocation.wanted();
    }

    private static SchedulerLoad waiting(int tasks) {
        return new SchedulerLoad(0, 0, tasks, 0, 0);
    }

    private static Set<ExecutorId> ids(String... ids) {
        Set<ExecutorId> set = new LinkedHashSet<>();
        for (String id : ids) {
            set.add(new ExecutorId(id));
        }
        return set;
    }

    @Test
    void hasTheDefaultsOfSpark() {
        conf.clear();
        AllocationSettings settings = settings();
        assertEquals(0, settings.executorsMin());
        assertEquals(Integer.MAX_VALUE, settings.executorsMax());
        assertEquals(0, settings.executorsFirst());
        assertEquals(Duration.ofSeconds(1), settings.backlog());
        assertEquals(Duration.ofSeconds(1), settings.sustainedBacklog());
        assertEquals(Duration.ofSeconds(60), settings.idle());
        assertTrue(settings.cachedIdle().isEmpty() && settings.shuffleIdle().isEmpty());
        assertTrue(settings.tracksShuffles());
        assertEquals(1.0, settings.ratio());
    }

    @Test
    void refusesBoundsThatContradictEachOther() {
        set("minExecutors", 5);
        set("maxExecutors", 4);
        assertThrows(HearthException.class, this::settings);
        set("minExecutors", 0);
        set("initialExecutors", 5);
        assertThrows(HearthException.class, this::settings);
        set("initialExecutors", 1);
        set("executorAllocationRatio", "1.5");
        assertThrows(HearthException.class, this::settings);
    }

    @Test
    void beginsWithTheMostOfMinInitialAndInstances() {
        set("minExecutors", 1);
        set("initialExecutors", 2);
        assertEquals(2, allocation().wanted());
        conf.put("hearth.executor.instances", "3");
        assertEquals(3, allocation().wanted());
        set("maxExecutors", 2);
        assertEquals(2, allocation().wanted());
    }

    @Test
    void addsOneTwoFourWhileTasksWait() {
        set("schedulerBacklogTimeout", "1s");
        set("sustainedSchedulerBacklogTimeout", "2s");
        ExecutorAllocation allocation = allocation();
        assertEquals(0, wanted(allocation, waiting(20), 0));
        assertEquals(OptionalLong.of(now + SECOND), wake);
        assertEquals(0, wanted(allocation, waiting(20), 0.9));
        assertEquals(1, wanted(allocation, waiting(20), 0.1));
        assertEquals(1, wanted(allocation, waiting(20), 1.9));
        assertEquals(3, wanted(allocation, waiting(20), 0.1));
        assertEquals(7, wanted(allocation, waiting(20), 2));
        assertEquals(15, wanted(allocation, waiting(20), 2));
        assertEquals(20, wanted(allocation, waiting(20), 2));
        assertEquals(OptionalLong.empty(), wake);
    }

    @Test
    void beginsWithOneAgainAfterTheBacklogEnds() {
        ExecutorAllocation allocation = allocation();
        wanted(allocation, waiting(20), 0);
        wanted(allocation, waiting(20), 1);
        assertEquals(3, wanted(allocation, waiting(20), 1));
        assertEquals(3, wanted(allocation, new SchedulerLoad(20, 0, 0, 0, 0), 1), "all of them run");
        assertEquals(3, wanted(allocation, waiting(20), 5));
        assertEquals(4, wanted(allocation, waiting(20), 1));
    }

    @Test
    void goesOnFromThePresentNumberIfItExceedsTheWantedOne() {
        ExecutorAllocation allocation = allocation();
        idle("a", "b", "c");
        wanted(allocation, waiting(20), 0);
        assertEquals(4, wanted(allocation, waiting(20), 1));
    }

    @Test
    void staysWithinItsBounds() {
        set("minExecutors", 2);
        set("maxExecutors", 4);
        ExecutorAllocation allocation = allocation();
        for (int second = 0; second < 10; second++) {
            assertTrue(wanted(allocation, waiting(100), 1) <= 4);
        }
        assertEquals(4, allocation.wanted());
        assertEquals(2, wanted(allocation, SchedulerLoad.NONE, 0));
    }

    @Test
    void wantsLessAtOnceWhenTheLoadShrinks() {
        set("initialExecutors", 10);
        ExecutorAllocation allocation = allocation();
        assertEquals(10, wanted(allocation, SchedulerLoad.NONE, 1), "no job has started yet");
        assertEquals(4, wanted(allocation, new SchedulerLoad(2, 0, 2, 0, 0), 0));
        assertEquals(2, wanted(allocation, new SchedulerLoad(2, 0, 0, 0, 0), 0));
        assertEquals(0, wanted(allocation, SchedulerLoad.NONE, 0));
    }

    @Test
    void leavesTheInitialNumberWhenAnExecutorIsIdleTooLong() {
        set("initialExecutors", 2);
        set("minExecutors", 1);
        ExecutorAllocation allocation = allocation();
        idle("a", "b");
        assertEquals(2, wanted(allocation, SchedulerLoad.NONE, 59));
        now += SECOND;
        assertEquals(ids("a"), decide(allocation, SchedulerLoad.NONE));
        assertEquals(1, allocation.wanted());
    }

    @Test
    void countsTasksByCoresAndRatio() {
        conf.put("hearth.executor.cores", "4");
        set("executorAllocationRatio", "0.5");
        set("initialExecutors", 100);
        assertEquals(3, wanted(allocation(), waiting(17), 0));
        conf.remove("hearth.executor.cores");
        set("executorAllocationRatio", "1");
        executors.add(new ExecutorActivity(new ExecutorId("a"), 8, false, now));
        assertEquals(3, wanted(allocation(), waiting(17), 0), "by the cores of the executors");
    }

    @Test
    void countsTasksByTheCoresAndAddressesThatEachNeeds() {
        conf.put("hearth.executor.cores", "9");
        conf.put("hearth.task.cpus", "2");
        set("initialExecutors", 100);
        assertEquals(5, wanted(allocation(), waiting(17), 0), "four tasks for each executor");
        conf.put("hearth.task.resource.gpu.amount", "0.5");
        conf.put("hearth.executor.resource.gpu.amount", "1");
        assertEquals(9, wanted(allocation(), waiting(17), 0), "two tasks for each executor");
    }

    @Test
    void wantsAnotherExecutorForASpeculativeCopy() {
        conf.put("hearth.executor.cores", "8");
        set("initialExecutors", 5);
        assertEquals(2, wanted(allocation(), new SchedulerLoad(1, 0, 0, 1, 0), 0));
    }

    @Test
    void countsTasksQueuedOnExecutorsAsBacklog() {
        ExecutorAllocation allocation = allocation();
        wanted(allocation, new SchedulerLoad(4, 3, 0, 0, 0), 0);
        assertEquals(1, wanted(allocation, new SchedulerLoad(4, 3, 0, 0, 0), 1));
    }

    @Test
    void wantsAllSlotsOfABarrierStageAtOnce() {
        set("executorAllocationRatio", "0.1");
        set("maxExecutors", 12);
        ExecutorAllocation allocation = allocation();
        assertEquals(8, wanted(allocation, new SchedulerLoad(0, 0, 0, 0, 8), 0));
        assertEquals(12, wanted(allocation, new SchedulerLoad(0, 0, 0, 0, 80), 0));
    }

    @Test
    void countsTheCoresOfTheSmallestExecutorIfNoneAreSet() {
        conf.clear();
        ExecutorAllocation allocation = allocation();
        assertEquals(
                8, wanted(allocation, new SchedulerLoad(0, 0, 0, 0, 8), 0), "one core, while there is no executor");
        executors.add(new ExecutorActivity(new ExecutorId("a"), 4, true, now));
        executors.add(new ExecutorActivity(new ExecutorId("b"), 2, true, now));
        assertEquals(4, wanted(allocation, new SchedulerLoad(0, 0, 0, 0, 8), 0));
    }

    @Test
    void releasesWhatIsIdleAndNothingElse() {
        ExecutorAllocation allocation = allocation();
        idle("a");
        executors.add(new ExecutorActivity(new ExecutorId("busy"), 1, true, now));
        assertEquals(Set.of(), decide(allocation, new SchedulerLoad(1, 0, 0, 0, 0)));
        assertEquals(OptionalLong.of(now + 60 * SECOND), wake);
        now += 60 * SECOND;
        assertEquals(ids("a"), decide(allocation, new SchedulerLoad(1, 0, 0, 0, 0)));
        assertEquals(Set.of(), decide(allocation, new SchedulerLoad(1, 0, 0, 0, 0)), "released once");
    }

    @Test
    void measuresIdleTimeFromTheLastTask() {
        ExecutorAllocation allocation = allocation();
        idle("a");
        decide(allocation, SchedulerLoad.NONE);
        now += 30 * SECOND;
        executors.set(0, new ExecutorActivity(new ExecutorId("a"), 1, false, now)); // ran a task meanwhile
        now += 59 * SECOND;
        assertEquals(Set.of(), decide(allocation, SchedulerLoad.NONE));
        now += SECOND;
        assertEquals(ids("a"), decide(allocation, SchedulerLoad.NONE));
    }

    @Test
    void keepsTheWantedNumber() {
        ExecutorAllocation allocation = allocation();
        idle("a", "b", "c");
        now += 61 * SECOND;
        idle("d");
        wanted(allocation, waiting(2), 0);
        assertEquals(2, wanted(allocation, waiting(2), 1), "the idle executors may be excluded");
    }

    @Test
    void keepsExecutorsWithCachedBlocksForTheirOwnTimeout() {
        holding.add("a");
        ExecutorAllocation forEver = allocation();
        idle("a");
        now += 1_000_000 * SECOND;
        assertEquals(Set.of(), decide(forEver, SchedulerLoad.NONE));
        assertEquals(OptionalLong.of(now + SECOND), wake);
        set("cachedExecutorIdleTimeout", "2000000s");
        ExecutorAllocation bounded = allocation();
        assertEquals(Set.of(), decide(bounded, SchedulerLoad.NONE));
        now += 1_000_000 * SECOND;
        assertEquals(ids("a"), decide(bounded, SchedulerLoad.NONE));
        holding.clear();
        assertEquals(ids("a"), decide(forEver, SchedulerLoad.NONE), "its blocks were dropped");
    }

    @Test
    void keepsExecutorsWhoseMapOutputsCanStillBeRead() {
        outputs.put("a", ShuffleUse.READABLE);
        outputs.put("b", ShuffleUse.NEEDED);
        idle("a", "b");
        now += 100 * SECOND;
        assertEquals(Set.of(), decide(allocation(), SchedulerLoad.NONE));
        set("shuffleTracking.timeout", "90s");
        assertEquals(ids("a"), decide(allocation(), SchedulerLoad.NONE));
        set("shuffleTracking.enabled", false);
        assertEquals(ids("a", "b"), decide(allocation(), SchedulerLoad.NONE));
    }
}
