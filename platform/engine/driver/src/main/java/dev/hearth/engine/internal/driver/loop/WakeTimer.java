package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Timer of one action, which runs at the earliest of several times. Owned by the event loop on which the action runs. */
final class WakeTimer {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable action;
    private long at = NEVER;
    private EventLoop.@Nullable Timeout timeout;

    WakeTimer(EventLoop loop, Runnable action) {
        this.loop = loop;
        this.action = action;
    }

    /** Runs the action at the earliest of {@code times}, in nanoseconds of the ticker like {@code now}; never if there is none. */
    void set(long now, OptionalLong... times) {
        long earliest = NEVER;
        for (OptionalLong time : times) {
            earliest = Math.min(earliest, time.orElse(NEVER));
        }
        if (earliest == at) {
            return;
        }
        cancel();
        at = earliest;
        if (earliest != NEVER) {
            timeout = loop.schedule(Duration.ofNanos(Math.max(0, earliest - now)), () -> {
                timeout = null;
                at = NEVER;
                action.run();
            });
        }
    }

    void cancel() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }
}
