package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the results of one job. {@link #accept} is called by the driver's loop, once per wanted partition, and runs no user
 * code; {@link #answer} by the thread that waited, once all are there.
 */
public interface ResultCollector<R> {
    void accept(int index, TaskResult value);

    R answer();

    /** Makes one for a job over that many partitions. */
    @FunctionalInterface
    interface Factory<R> {
        ResultCollector<R> open(int partitions);
    }

    /** Sums longs as they come. */
    static Factory<Long> sum() {
        return partitions -> new Sum();
    }

    /** Waits for tasks that have nothing to say. */
    static Factory<Void> nothing() {
        return partitions -> new Nothing();
    }

    /** Keeps what comes; {@code merge} makes the answer of the values in their order. */
    static <R> Factory<R> keeping(UserObjectSerializer objects, BiFunction<Object[], UserObjectSerializer, R> merge) {
        return partitions -> new Collected<>(partitions, objects, merge);
    }

    /** See {@link #sum}. */
    final class Sum implements ResultCollector<Long> {
        private long total;

        @Override
        public void accept(int index, TaskResult value) {
            Object part = ((TaskResult.Shared) value).value();
            total += part == null ? 0 : (Long) part;
        }

        @Override
        public Long answer() {
            return total;
        }
    }

    /** See {@link #nothing}. */
    final class Nothing implements ResultCollector<Void> {
        @Override
        public void accept(int index, TaskResult value) {}

        @Override
        @SuppressWarnings("NullAway") // Void has no other value
        public Void answer() {
            return null;
        }
    }

    /** See {@link #keeping}. */
    final class Collected<R> implements ResultCollector<R> {
        private final @Nullable Object[] values; // what a value holds: an object, or bytes
        private final UserObjectSerializer objects;
        private final BiFunction<Object[], UserObjectSerializer, R> merge;

        Collected(int partitions, UserObjectSerializer objects, BiFunction<Object[], UserObjectSerializer, R> merge) {
            this.values = new @Nullable Object[partitions];
            this.objects = objects;
            this.merge = merge;
        }

        @Override
        public void accept(int index, TaskResult value) {
            values[index] = value instanceof TaskResult.Shared shared ? shared.value() : value;
        }

        @Override
        public R answer() {
            for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof TaskResult.Encoded encoded) {
                    values[i] = objects.read(encoded.bytes(), "result of a task");
                }
            }
            return merge.apply(values, objects);
        }
    }
}
