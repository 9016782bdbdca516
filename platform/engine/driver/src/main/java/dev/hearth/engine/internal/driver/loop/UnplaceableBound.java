package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends an application that has no executors and whose cluster could never hold one, after {@code
 * hearth.scheduler.unplaceableTimeout}. Without that setting it does nothing, as a larger machine may be added.
 * <p>IDLE until the cluster manager reports such a request, then WAITING until it reports another state or the time is
 * over. While the application still has executors, the wait starts again. Owned by the driver's event loop.
 */
final class UnplaceableBound {
    private final String application;
    private final EventLoop loop;
    private final Optional<Duration> bound;
    private final BooleanSupplier hasExecutors;
    private final Consumer<HearthException> end;
    private String reason = "";
    private EventLoop.@Nullable Timeout waiting; // null while idle

    /** {@code hasExecutors} says whether an executor is registered. {@code end} ends the application. */
    UnplaceableBound(
            String application,
            EventLoop loop,
            Optional<Duration> bound,
            BooleanSupplier hasExecutors,
            Consumer<HearthException> end) {
        this.application = application;
        this.loop = loop;
        this.bound = bound;
        this.hasExecutors = hasExecutors;
        this.end = end;
    }

    /** Records that no machine of the cluster could hold a requested executor. The time of the first report counts. */
    void unplaceable(String why) {
        reason = why;
        if (waiting == null) {
            waiting = bound.map(time -> loop.schedule(time, () -> expire(time))).orElse(null);
        }
    }

    /** Records that the cluster could hold the requested executors. */
    void placeable() {
        EventLoop.Timeout current = waiting;
        waiting = null;
        if (current != null) {
            current.cancel();
        }
    }

    private void expire(Duration time) {
        waiting = null;
        if (hasExecutors.getAsBoolean()) {
            unplaceable(reason);
        } else {
            end.accept(ErrorCode.EXECUTORS_FAILED.failure("application " + application + ": no executors within "
                    + time.toMillis() + " ms (hearth.scheduler.unplaceableTimeout): " + reason));
        }
    }
}
