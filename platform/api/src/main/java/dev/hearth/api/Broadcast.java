package dev.hearth.api;

import dev.hearth.api.launch.TaskRuntime;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A broadcast variable: the handle of a value that each executor fetches once. Tasks share the value and must not
 * change it.
 * <p>Functions may capture the handle. After {@link #destroy} on the driver, tasks that read the value fail.
 */
public final class Broadcast<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long id;
    private final transient @Nullable Source<T> source; // null in a handle inside a task

    /** Constructor for engines; applications call {@link HearthContext#broadcast}. */
    public Broadcast(long id, Source<T> source) {
        this.id = id;
        this.source = source;
    }

    /**
     * The id of this broadcast variable, unique in its application.
     * <pre>{@code long id = context.broadcast("a").id();}</pre>
     */
    public long id() {
        return id;
    }

    /**
     * The value; the first call in a process fetches it.
     * <pre>{@code Broadcast<Integer> least = context.broadcast(3);
     * Rdd<Integer> larger = numbers.filter(number -> number > least.value());}</pre>
     */
    @SuppressWarnings("unchecked") // the value was of this type when it was broadcast
    public T value() {
        if (source != null) {
            return source.value();
        }
        TaskRuntime task = TaskRuntime.current();
        if (task == null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "broadcast " + id
                            + ": read by a thread that runs no task (expected: a thread that runs a task, or a"
                            + " thread of the driver); read the broadcast in the task's own thread, and pass its"
                            + " value to other threads");
        }
        return (T) task.broadcast(id);
    }

    /**
     * Removes the value from all processes; call it on the driver. Later calls do nothing.
     * <pre>{@code Broadcast<Integer> least = context.broadcast(3);
     * long larger = numbers.filter(number -> number > least.value()).count();
     * least.destroy();}</pre>
     */
    public void destroy() {
        if (source == null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "broadcast " + id + ": destroy() called inside a task (expected: a call on the driver)");
        }
        source.destroy();
    }

    /**
     * Holder of the value of a broadcast variable on the driver. Implemented by engines; applications do not use it.
     */
    public interface Source<T> {
        /** The value; throws {@code CONTEXT_CLOSED} after {@link #destroy}. */
        T value();

        void destroy();
    }

    @Override
    public String toString() {
        return "broadcast " + id;
    }
}
