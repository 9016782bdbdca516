package dev.hearth.api.launch;

import dev.hearth.api.task.TaskContext;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's part of a task context: access to accumulators, broadcast values and added files.
 * <p>Each attempt has one instance, which its thread finds by {@link #current} while the attempt runs. For engines, not
 * for applications.
 */
public interface TaskRuntime extends TaskContext {
    /** The instance of the task that the calling thread runs; null outside of tasks. */
    static @Nullable TaskRuntime current() {
        return CurrentTask.RUNTIME.get();
    }

    /** Sets the task of the calling thread; {@code null} clears it. */
    static void enter(@Nullable TaskRuntime task) {
        if (task == null) {
            CurrentTask.RUNTIME.remove();
        } else {
            CurrentTask.RUNTIME.set(task);
        }
    }

    /** This attempt's partial result of accumulator {@code id}; {@code fresh} creates it at the first call. */
    <S> S accumulation(long id, Supplier<S> fresh);

    /** The value of broadcast {@code id}; fetched on first use in a process. */
    Object broadcast(long id);

    /** The local path of the added file or archive {@code name}; fetched on first use in a process. */
    Path attached(String name);

    /** A deep copy of a serialisable value, or the value itself if it is immutable. */
    <T> T copy(T value);
}
