package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The hosts that pending tasks prefer, and when they differ enough to be reported again. */
class PreferredHostsTest {
    private static SchedulerFixture scene() {
        return new SchedulerFixture("scheduler.executorCredit", "0");
    }

    private static PreferredLocations even(String... hosts) {
        return partition -> List.of(hosts[partition % hosts.length]);
    }

    @Test
    void countsPendingTasksOfAllStages() {
        SchedulerFixture scene = scene();
        assertEquals(PreferredHosts.NONE, scene.scheduler.preferredHosts(0));
        scene.submit(1, 10, even("a", "b"));
        scene.submit(2, 3, partition -> partition == 0 ? List.of() : List.of("b", "executor_c_7", "c"));
        scene.submit(3, 5);
        assertEquals(new PreferredHosts(12, Map.of("a", 5, "b", 7, "c", 2)), scene.scheduler.preferredHosts(0));
    }

    @Test
    void countsATaskAgainAfterItsFailure() {
        SchedulerFixture scene = scene().up("1", "a", 1);
        TaskSetId set = scene.submit(1, 2, even("a"));
        Launched first = scene.settle().get(0);
        assertEquals(new PreferredHosts(1, Map.of("a", 1)), scene.scheduler.preferredHosts(0));
        scene.fail(first);
        assertEquals(new PreferredHosts(2, Map.of("a", 2)), scene.scheduler.preferredHosts(0));
        scene.scheduler.cancel(set, false, "no longer needed");
        assertEquals(PreferredHosts.NONE, scene.scheduler.preferredHosts(0));
    }

    @Test
    void asksForNoPlacesWhileTasksRun() {
        List<Integer> asked = new ArrayList<>();
        SchedulerFixture scene = scene().up("1", "a", 4);
        scene.submit(1, 100, partition -> {
            asked.add(partition);
            return List.of("a");
        });
        asked.clear();
        for (int round = 0; round < 10; round++) {
            scene.settle().forEach(scene::succeed);
        }
        assertEquals(List.of(), asked);
        assertEquals(60, scene.scheduler.preferredHosts(0).tasks());
        assertEquals(40, asked.size(), "one question for each task that has changed");
        scene.scheduler.preferredHosts(0);
        assertEquals(40, asked.size());
    }

    @Test
    void keepsTheHostsOfMostTasks() {
        Map<String, Integer> byHost = new LinkedHashMap<>();
        for (int host = 0; host < 100; host++) {
            byHost.put("host-" + host, host);
        }
        PreferredHosts top = new PreferredHosts(4_950, byHost).top(3);
        assertEquals(
                List.of("host-99", "host-98", "host-97"),
                List.copyOf(top.byHost().keySet()));
        assertEquals(4_950, top.tasks());
    }

    @Test
    void differsOnlyIfAnotherHostMightBeBetter() {
        PreferredHosts before = new PreferredHosts(100, Map.of("a", 50, "b", 50));
        assertFalse(before.differsFrom(before));
        assertFalse(before.differsFrom(new PreferredHosts(61, Map.of("a", 30, "b", 31))));
        assertTrue(before.differsFrom(new PreferredHosts(50, Map.of("a", 25, "b", 25))));
        assertTrue(before.differsFrom(new PreferredHosts(100, Map.of("a", 50, "c", 50))));
        assertFalse(before.differsFrom(new PreferredHosts(110, Map.of("a", 50, "b", 50, "c", 10))));
        assertTrue(before.differsFrom(PreferredHosts.NONE));
        assertTrue(PreferredHosts.NONE.differsFrom(new PreferredHosts(1, Map.of("a", 1))));
        assertFalse(PreferredHosts.NONE.differsFrom(PreferredHosts.NONE));
    }
}
