package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Elements of a local collection, split evenly into partitions. If all elements are immutable and stay in this process,
 * tasks share them, and each partition is copied lazily. Otherwise all elements are serialised at once. Immutable.
 */
public final class ParallelizedElements implements PartitionInputs {
    private final Object[] elements; // empty when the elements are serialised
    private final TaskInput[] written; // empty when the elements are shared
    private final int partitions;

    private ParallelizedElements(Object[] elements, TaskInput[] written, int partitions) {
        this.elements = elements;
        this.written = written;
        this.partitions = partitions;
    }

    /**
     * Splits {@code elements} into partitions for tasks in this process. The caller must not change the array
     * afterwards. Serialises all elements, which runs user code, unless all are immutable.
     */
    public static ParallelizedElements cut(@Nullable Object[] elements, int partitions, UserObjectSerializer objects) {
        if (objects.unchangeable().areValues(elements)) {
            return new ParallelizedElements(elements, new TaskInput[0], partitions);
        }
        return write(elements, partitions, objects);
    }

    /**
     * Splits elements into partitions and serialises them for executors in other processes. Does so now, on the calling
     * thread, because the elements' serialisation is user code, which must not run on the driver's event loop later.
     */
    public static ParallelizedElements write(
            @Nullable Object[] elements, int partitions, UserObjectSerializer objects) {
        TaskInput[] written = new TaskInput[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            Object[] slice = slice(elements, partition, partitions);
            written[partition] = slice.length == 0
                    ? TaskInput.NONE
                    : new TaskInput.Encoded(objects.write(slice, "elements given to parallelize"));
        }
        return new ParallelizedElements(new Object[0], written, partitions);
    }

    @Override
    public TaskInput input(int partition) {
        if (written.length > 0) {
            return written[partition];
        }
        Object[] slice = slice(elements, partition, partitions);
        return slice.length == 0 ? TaskInput.NONE : new TaskInput.Shared(slice);
    }

    private static Object[] slice(@Nullable Object[] elements, int partition, int partitions) {
        int from = (int) ((long) partition * elements.length / partitions);
        int to = (int) ((long) (partition + 1) * elements.length / partitions);
        return Arrays.copyOfRange(elements, from, to);
    }
}
