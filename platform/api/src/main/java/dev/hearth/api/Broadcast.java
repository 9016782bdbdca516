package dev.hearth.api;

import dev.hearth.api.launch.TaskRuntime;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a value that every process of the application gets once. Tasks must not change the value: others share it.
 * <p>Handles travel with functions. Destroyed on the driver, after which tasks that ask for the value fail.
 */
public final class Broadcast<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long id;
    private final transient @Nullable Source<T> source; // null where the handle has travelled to

    /** For engines: a context makes them. */
    public Broadcast(long id, Source<T> source) {
        this.id = id;
        this.source = source;
    }

    /** Which of the application's values it is. <pre>{@code long id = context.broadcast("a").id();}</pre> */
    public long id() {
        return id;
    }

    /**
     * The value, fetched when this process does not have it yet.
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
                            + ": read by a thread that runs no task (expected: inside a task, or on the driver)");
        }
        return (T) task.broadcast(id);
    }

    /**
     * Drops the value everywhere; on the driver. Later calls do nothing.
     * <pre>{@code Broadcast<Integer> least = context.broadcast(3);
     * long larger = numbers.filter(number -> number > least.value()).count();
     * least.destroy();}</pre>
     */
    public void destroy() {
        if (source == null) {
            throw new HearthException(
                    "WRONG_THREAD", "broadcast " + id + ": destroyed inside a task (expected: on the driver)");
        }
        source.destroy();
    }

    /** The driver's hold on the value; for engines. */
    public interface Source<T> {
        /** The value; refused with {@code CONTEXT_CLOSED} once it was destroyed. */
        T value();

        void destroy();
    }

    @Override
    public String toString() {
        return "broadcast " + id;
    }
}
