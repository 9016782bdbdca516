package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of one job. The driver's event loop calls {@link #accept} once per partition of the action, and
 * must not run user code there. The thread that waits for the job calls {@link #answer} once all results are in.
 */
public interface ResultCollector<R> {
    void accept(int index, TaskResult value);

    R answer();

    /** Creates a collector for a job over this number of partitions. */
    @FunctionalInterface
    interface Factory<R> {
        ResultCollector<R> open(int partitions);
    }

    /** Sums the longs that tasks return. */
    static Factory<Long> sum() {
        return partitions -> new Sum();
    }

    /** Collects no values, for jobs whose tasks return nothing. */
    static Factory<Void> nothing() {
        return partitions -> new Nothing();
    }

    /** Collects the results of all tasks; {@code merge} combines them in partition order. */
    static <R> Factory<R> collecting(
            UserObjectSerializer objects, BiFunction<Object[], UserObjectSerializer, R> merge) {
        return partitions -> new Collected<>(partitions, objects, merge);
    }

    /** Adds each result to a total; see {@link #sum}. Owned by the driver's event loop, then by the waiting thread. */
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

    /** Ignores all results; see {@link #nothing}. Stateless. */
    final class Nothing implements ResultCollector<Void> {
        @Override
        public void accept(int index, TaskResult value) {}

        @Override
        @SuppressWarnings("NullAway") // null is the only value of Void
        public Void answer() {
            return null;
        }
    }

    /** Stores each result; see {@link #collecting}. Owned by the driver's event loop, then by the waiting thread. */
    final class Collected<R> implements ResultCollector<R> {
        private final @Nullable Object[] values; // objects, or serialised values that `answer` reads
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
