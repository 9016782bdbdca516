package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the accumulator updates of tasks. Built-in sums are merged on the driver's event loop, which calls this class.
 * Updates that may run user code are merged one after another on the thread {@code merging}. A job completes only after
 * its updates are merged.
 */
final class AccumulatorMerger {
    private static final Logger LOG = LoggerFactory.getLogger(AccumulatorMerger.class);

    private final SharedVariables shared;
    private final UserObjectSerializer objects;
    private final EventLoop loop;
    private final Executor merging;
    private int inFlight; // used on the event loop only

    AccumulatorMerger(SharedVariables shared, UserObjectSerializer objects, EventLoop loop, Executor merging) {
        this.shared = shared;
        this.objects = objects;
        this.loop = loop;
        this.merging = merging;
    }

    void merge(TaskEnd end) {
        loop.requireInLoop();
        for (AccumulatorUpdate part : end.accumulated()) {
            if (part.part() instanceof TaskResult.Shared update
                    && (update.value() instanceof LongSum || update.value() instanceof DoubleSum)) {
                merge(part);
            } else {
                inFlight++;
                merging.execute(() -> {
                    try {
                        merge(part);
                    } finally {
                        loop.execute(() -> inFlight--);
                    }
                });
            }
        }
    }

    /**
     * Runs {@code action} on the event loop after all merges of accumulator updates that are in flight now; at once if
     * there are none.
     */
    void afterMerges(Runnable action) {
        loop.requireInLoop();
        if (inFlight == 0) {
            action.run();
        } else {
            merging.execute(() -> loop.execute(action));
        }
    }

    private void merge(AccumulatorUpdate part) {
        try {
            shared.accumulator(part.accumulator()).ifPresent(accumulator -> merge(accumulator, part.part()));
        } catch (Exception
                | LinkageError
                | StackOverflowError
                | AssertionError failure) { // thrown by the user's accumulator; the task's result still counts
            LOG.warn("accumulator {}: an update is lost: {}", part.accumulator(), Failures.describe(failure), failure);
        }
    }

    @SuppressWarnings("unchecked") // an update has the type of its accumulator
    private <T, R> void merge(Accumulator<T, R> accumulator, TaskResult part) {
        Object value = part instanceof TaskResult.Encoded encoded
                ? objects.read(encoded.bytes(), "part of accumulator " + accumulator.name())
                : ((TaskResult.Shared) part).value();
        if (value != null) {
            accumulator.merge((Accumulation<T, R>) value);
        }
    }
}
