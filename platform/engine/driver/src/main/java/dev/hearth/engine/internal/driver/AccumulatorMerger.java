package dev.hearth.engine.internal.driver;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges what tasks added to accumulators. Called on the driver's loop; sums of ours are merged there, what may run the user's
 * code on {@code merging}, a thread that does one after the other. A job whose parts are still being merged waits for that.
 */
final class AccumulatorMerger {
    private static final Logger LOG = LoggerFactory.getLogger(AccumulatorMerger.class);

    private final SharedVariables shared;
    private final UserObjectSerializer objects;
    private final EventLoop loop;
    private final Executor merging;
    private int underWay; // the loop's

    AccumulatorMerger(SharedVariables shared, UserObjectSerializer objects, EventLoop loop, Executor merging) {
        this.shared = shared;
        this.objects = objects;
        this.loop = loop;
        this.merging = merging;
    }

    void merge(TaskEnd end) {
        loop.requireInLoop();
        for (AccumulatorUpdate part : end.accumulated()) {
            if (part.part() instanceof TaskResult.Shared given
                    && (given.value() instanceof LongSum || given.value() instanceof DoubleSum)) {
                merge(part);
            } else {
                underWay++;
                merging.execute(() -> {
                    try {
                        merge(part);
                    } finally {
                        loop.execute(() -> underWay--);
                    }
                });
            }
        }
    }

    /** Runs {@code action} on the loop: at once, or after the merges under way. */
    void afterMerges(Runnable action) {
        loop.requireInLoop();
        if (underWay == 0) {
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
                | AssertionError failure) { // the user's own merging threw: the task's result stands
            LOG.warn("accumulator {}: a part is lost: {}", part.accumulator(), Failures.describe(failure), failure);
        }
    }

    @SuppressWarnings("unchecked") // a part is of the kind its accumulator was made of
    private <T, R> void merge(Accumulator<T, R> accumulator, TaskResult part) {
        Object value = part instanceof TaskResult.Encoded encoded
                ? objects.read(encoded.bytes(), "part of accumulator " + accumulator.name())
                : ((TaskResult.Shared) part).value();
        if (value != null) {
            accumulator.merge((Accumulation<T, R>) value);
        }
    }
}
