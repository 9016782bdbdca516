package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.monitor.ExecutorsAsked;
import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
        pass(2);
        assertEquals(2, warnings.size());
        monitor.stop();
        pass(30);
        assertEquals(2, warnings.size());
    }

    @Test
    void doublesTheIntervalAndBeginsAgainAfterATaskRan() {
        starving = true;
        monitor.watch();
        pass(64);
        assertEquals(6, warnings.size(), "after 2, 4, 8, 16, 32 and 64 checks");
        starving = false;
        loop.pass(CHECK);
        starving = true;
        pass(2);
        assertEquals(7, warnings.size());
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
        pass(2);
        assertEquals(List.of("quota used up", ""), warnings);
        assertEquals(
                "application count: Initial job has not accepted any resources: jobs wait and no task runs: 0 executors"
                        + " with 0 cores are registered, asked for: 2 executors of 1 core, 1408 MiB (expected: 1 or more"
                        + " registered); the cluster starts no more: quota used up",
                StarvationMonitor.warning(
                        "count",
                        0,
                        0,
                        Optional.of(new ExecutorsAsked(2, OptionalInt.of(1), 1408)),
                        "",
                        "quota used up"));
        assertEquals(
                "all executors possible of all cores of a worker, 1024 MiB",
                new ExecutorsAsked(Integer.MAX_VALUE, OptionalInt.empty(), 1024).text());
        assertTrue(StarvationMonitor.warning("count", 0, 0, Optional.empty(), "", "")
                .endsWith("has workers with enough free cores and memory"));
        assertTrue(StarvationMonitor.warning("count", 2, 6, Optional.empty(), "4 cores (hearth.task.cpus)", "")
                .endsWith("2 executors with 6 cores are registered, and none can hold a task (expected: executors with"
                        + " 4 cores (hearth.task.cpus) each); give executors more, or tasks less"));
    }

    private void pass(int checks) {
        for (int i = 0; i < checks; i++) {
            loop.pass(CHECK);
        }
    }
}
