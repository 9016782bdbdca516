package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings of {@link StarvationMonitor} in virtual time. */
class StarvationMonitorTest {
    private static final Duration CHECK = Duration.ofSeconds(15);

    private final ManualEventLoop loop = new ManualEventLoop();
    private final List<String> warnings = new ArrayList<>();
    private boolean starving;
    private final StarvationMonitor monitor = new StarvationMonitor(loop, CHECK, () -> starving, warnings::add);

    @Test
    void warnsOnlyOfTwoChecksInARow() {
        monitor.watch();
        for (boolean found : new boolean[] {true, false, true}) {
            starving = found;
            loop.pass(CHECK);
        }
        assertEquals(0, warnings.size(), "tasks may start between two checks");
        loop.pass(CHECK);
        assertEquals(1, warnings.size());
        loop.pass(CHECK);
        assertEquals(2, warnings.size());
        monitor.stop();
        loop.pass(CHECK.multipliedBy(3));
        assertEquals(2, warnings.size());
    }

    @Test
    void namesWhatHindersTheClusterUntilThatIsOver() {
        starving = true;
        monitor.watch();
        assertTrue(monitor.hindered("quota used up"));
        assertFalse(monitor.hindered("quota used up"), "no change");
        loop.pass(CHECK);
        loop.pass(CHECK);
        assertTrue(monitor.hindered(""));
        loop.pass(CHECK);
        assertEquals(List.of("quota used up", ""), warnings);
        assertEquals(
                "application count: Initial job has not accepted any resources: jobs wait and no task runs: 0 executors"
                        + " with 0 cores are registered (expected: 1 or more); the cluster starts no more: quota used"
                        + " up",
                StarvationMonitor.warning("count", 0, 0, "", "quota used up"));
        assertTrue(StarvationMonitor.warning("count", 0, 0, "", "")
                .endsWith("has workers with enough free cores and memory"));
        assertTrue(StarvationMonitor.warning("count", 2, 6, "4 cores (hearth.task.cpus)", "")
                .endsWith("2 executors with 6 cores are registered, and none can hold a task (expected: executors with"
                        + " 4 cores (hearth.task.cpus) each); give executors more, or tasks less"));
    }
}
