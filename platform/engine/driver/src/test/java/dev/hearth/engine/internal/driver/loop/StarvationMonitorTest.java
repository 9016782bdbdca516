package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Warnings of {@link StarvationMonitor} in virtual time. */
class StarvationMonitorTest {
    private static final Duration CHECK = Duration.ofSeconds(15);

    private final ManualEventLoop loop = new ManualEventLoop();
    private final AtomicInteger warnings = new AtomicInteger();
    private boolean starving;
    private final StarvationMonitor monitor = new StarvationMonitor(loop, () -> starving, warnings::incrementAndGet);

    @Test
    void warnsOnlyOfTwoChecksInARow() {
        monitor.watch();
        for (boolean found : new boolean[] {true, false, true}) {
            starving = found;
            loop.pass(CHECK);
        }
        assertEquals(0, warnings.get(), "tasks may start between two checks");
        loop.pass(CHECK);
        assertEquals(1, warnings.get());
        loop.pass(CHECK);
        assertEquals(2, warnings.get());
        monitor.stop();
        loop.pass(CHECK.multipliedBy(3));
        assertEquals(2, warnings.get());
    }
}
