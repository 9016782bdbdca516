package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ExecutorsAsked;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Warns while tasks wait and none runs, at intervals that double. Warns only if two checks in a row find that, because
 * for a moment it is normal: between two stages, or while a task set waits for its preferred hosts. Also retains the reason why the
 * cluster starts no executors, as last reported. Owned by the driver's loop.
 */
final class StarvationMonitor {
    private final EventLoop loop;
    private final Duration interval;
    private final BooleanSupplier starvation;
    private final Consumer<String> warning;
    private String hindrance = "";
    private long starvingChecks; // in a row, until now
    private boolean stopped;

    /**
     * Creates a monitor that checks at this interval. {@code starvation} says whether tasks wait and none runs. {@code warning} issues the warning.
     * It receives the reason why the cluster starts no executors; empty if none was reported.
     */
    StarvationMonitor(EventLoop loop, Duration interval, BooleanSupplier starvation, Consumer<String> warning) {
        this.loop = loop;
        this.interval = interval;
        this.starvation = starvation;
        this.warning = warning;
    }

    /**
     * The text of the warning that jobs wait and no task runs, with the words that users of Spark search for. {@code
     * asked} are the executors that the application asks for, if they are known. {@code needs} are the needs of a task, if no registered executor can hold one; otherwise empty. {@code hindrance} is the
     * reason why the cluster starts no executors; empty if it is not known.
     */
    static String warning(
            String application,
            int executors,
            int cores,
            Optional<ExecutorsAsked> asked,
            String needs,
            String hindrance) {
        String found = "application " + application
                + ": Initial job has not accepted any resources: jobs wait and no task runs: "
                + Quantity.of(executors, "executor") + " with " + Quantity.of(cores, "core")
                + (executors == 1 ? " is" : " are") + " registered";
        if (executors > 0 && !needs.isEmpty()) {
            return found + ", and none can hold a task (expected: executors with " + needs
                    + " each); give executors more, or tasks less";
        }
        String advice = hindrance.isEmpty()
                ? "check that the cluster has workers with enough free cores and memory"
                : "the cluster starts no more: " + hindrance;
        String wanted = asked.map(known -> ", asked for: " + known.text()).orElse("");
        return found + wanted + " (expected: 1 or more registered); " + advice;
    }

    /**
     * Records why the cluster starts no executors; an empty reason means that it does start some. Returns false if the
     * same reason was already recorded.
     */
    boolean hindered(String reason) {
        boolean changed = !reason.equals(hindrance);
        hindrance = reason;
        return changed;
    }

    void watch() {
        loop.schedule(interval, () -> {
            if (!stopped) {
                starvingChecks = starvation.getAsBoolean() ? starvingChecks + 1 : 0;
                if (starvingChecks > 1 && Long.bitCount(starvingChecks) == 1) { // at 2, 4, 8 and so on
                    warning.accept(hindrance);
                }
                watch();
            }
        });
    }

    void stop() {
        stopped = true;
    }
}
