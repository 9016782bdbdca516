package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Warns periodically while tasks wait and none runs. Warns only if two checks in a row find that, because for a moment
 * it is normal: between two stages, or while a task set waits for its preferred hosts. Owned by the driver's loop.
 */
final class StarvationMonitor {
    private static final Duration CHECK = Duration.ofSeconds(15);

    private final EventLoop loop;
    private final BooleanSupplier starvation;
    private final Runnable warning;
    private boolean starving; // at the last check
    private boolean stopped;

    StarvationMonitor(EventLoop loop, BooleanSupplier starvation, Runnable warning) {
        this.loop = loop;
        this.starvation = starvation;
        this.warning = warning;
    }

    void watch() {
        loop.schedule(CHECK, () -> {
            if (!stopped) {
                boolean starved = starving;
                starving = starvation.getAsBoolean();
                if (starved && starving) {
                    warning.run();
                }
                watch();
            }
        });
    }

    void stop() {
        stopped = true;
    }
}
