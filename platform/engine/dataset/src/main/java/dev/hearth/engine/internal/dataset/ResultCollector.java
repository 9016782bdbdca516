package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of one job. The driver's event loop calls {@link #accept} once per partition of the action, so
 * {@code accept} must not run user code. The thread that waits for the job calls {@link #answer} once all results are
 * in.
 */
public interface ResultCollector<R> {
    void accept(int index, TaskResult value);

    R answer();

    /** Creates one collector per job. The argument is the number of partitions that the job computes. */
    @FunctionalInterface
    interface Factory<R> {
        ResultCollector<R> open(int partitions);
    }

    /** Creates collectors that sum the long values which the tasks of a job return. */
    static Factory<Long> sum() {
        return partitions -> new Sum();
    }

    /** Returns collectors that ignore all results, for jobs whose tasks return nothing. */
    static Factory<Void> nothing() {
        return partitions -> new Nothing();
    }

    /**
     * Collects the results of all tasks. {@code merge} gets them as an array, in partition order, and returns the
     * result of the job.
     */
    static <R> Factory<R> collecting(
            UserObjectSerializer objects, BiFunction<Object[], UserObjectSerializer, R> merge) {
        return partitions -> new Collected<>(partitions, objects, merge);
    }

    /**
     * Collector of {@link #sum}, which adds the result of each task to a total. Owned by the driver's event loop, then
     * by the waiting thread.
     */
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

    /** Collector of {@link #nothing}, which ignores the result of each task. Stateless. */
    final class Nothing implements ResultCollector<Void> {
        @Override
        public void accept(int index, TaskResult value) {}

        @Override
        @SuppressWarnings("NullAway") // null is the only value of Void
        public Void answer() {
            return null;
        }
    }

    /**
     * Collector of {@link #collecting}, which stores the result of each task until all are merged. Owned by the
     * driver's event loop, then by the waiting thread.
     */
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
