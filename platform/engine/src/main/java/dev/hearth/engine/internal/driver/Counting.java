package dev.hearth.engine.internal.driver;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.AccumulatorPart;
import dev.hearth.engine.internal.task.TaskEnd;
import dev.hearth.engine.internal.task.TaskValue;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges what tasks added to accumulators. Called on the driver's loop; sums of ours are merged there, what may run the user's
 * code on {@code merging}, a thread that does one after the other. A job whose parts are still being merged waits for that.
 */
final class Counting {
    private static final Logger LOG = LoggerFactory.getLogger(Counting.class);

    private final SharedValues shared;
    private final UserObjects objects;
    private final EventLoop loop;
    private final Executor merging;
    private int underWay; // the loop's

    Counting(SharedValues shared, UserObjects objects, EventLoop loop, Executor merging) {
        this.shared = shared;
        this.objects = objects;
        this.loop = loop;
        this.merging = merging;
    }

    void count(TaskEnd end) {
        loop.requireInLoop();
        for (AccumulatorPart part : end.accumulated()) {
            if (part.part() instanceof TaskValue.Shared given
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

    /** Runs {@code end} on the loop: now, or after what is being merged. */
    void after(Runnable end) {
        loop.requireInLoop();
        if (underWay == 0) {
            end.run();
        } else {
            merging.execute(() -> loop.execute(end));
        }
    }

    private void merge(AccumulatorPart part) {
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
    private <T, R> void merge(Accumulator<T, R> accumulator, TaskValue part) {
        Object value = part instanceof TaskValue.Encoded encoded
                ? objects.read(encoded.bytes(), "part of accumulator " + accumulator.name())
                : ((TaskValue.Shared) part).value();
        if (value != null) {
            accumulator.merge((Accumulation<T, R>) value);
        }
    }
}
