package dev.hearth.api.launch;

import dev.hearth.api.task.TaskContext;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's part of a task context: access to accumulators, broadcast values and added files.
 * <p>One per attempt, set for the attempt's thread while it runs. For engines, not for applications.
 */
public interface TaskRuntime extends TaskContext {
    /** The task of the calling thread; null outside of tasks. */
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

    /** This attempt's part of accumulator {@code id}, created lazily by {@code fresh}. */
    <S> S accumulation(long id, Supplier<S> fresh);

    /** The value of broadcast {@code id}; fetched on first use in a process. */
    Object broadcast(long id);

    /** The local path of the added file or archive {@code name}; fetched on first use in a process. */
    Path attached(String name);

    /** A copy of a serialisable value; the value itself if it is immutable. */
    <T> T copy(T value);
}
