package dev.hearth.api.launch;

import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's part of a task context: access to accumulators, broadcast values and added files.
 * <p>Each attempt has one instance, which its thread finds by {@link #current} while the attempt runs. For engines, not
 * for applications.
 */
public interface TaskRuntime extends TaskContext {
    /** The runtime of the task attempt that the calling thread runs; null if the thread runs no task. */
    static @Nullable TaskRuntime current() {
        return CurrentTask.RUNTIME.get();
    }

    /**
     * Sets the task attempt that {@link #current} returns to the calling thread; {@code null} if the thread runs none
     * now.
     */
    static void enter(@Nullable TaskRuntime task) {
        if (task == null) {
            CurrentTask.RUNTIME.remove();
        } else {
            CurrentTask.RUNTIME.set(task);
        }
    }

    /**
     * This attempt's partial result of the accumulator with id {@code id}; {@code fresh} creates an empty one at the
     * first call.
     */
    <S> S accumulation(long id, Supplier<S> fresh);

    /** The value of the broadcast variable with id {@code id}, which is fetched when first used in a process. */
    Object broadcast(long id);

    /**
     * The local path of the added file or archive {@code name}, which is fetched when first used in a process. Throws
     * {@code PATH_MISSING} if none of that name was added.
     */
    Path attached(String name);

    /** Opens a file of any store of the application for reading; {@code file} is a path, or a URI. */
    InputStream open(String file) throws IOException;

    /** A deep copy of a serialisable value, or the value itself if it is immutable. */
    <T> T copy(T value);
}
