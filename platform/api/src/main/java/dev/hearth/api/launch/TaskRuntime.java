package dev.hearth.api.launch;

import dev.hearth.api.task.TaskContext;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an engine gives a task beyond what its code may ask: the state behind accumulators and broadcast values.
 * <p>One per attempt, set for the attempt's thread while it runs; for engines, not for applications.
 */
public interface TaskRuntime extends TaskContext {
    /** The calling thread's task; null outside of tasks. */
    static @Nullable TaskRuntime current() {
        return CurrentTask.RUNTIME.get();
    }

    /** Makes {@code task} the calling thread's, until it is given {@code null}. */
    static void enter(@Nullable TaskRuntime task) {
        if (task == null) {
            CurrentTask.RUNTIME.remove();
        } else {
            CurrentTask.RUNTIME.set(task);
        }
    }

    /** This attempt's own part of accumulator {@code id}, made by {@code fresh} when first asked for. */
    <S> S accumulation(long id, Supplier<S> fresh);

    /** The value broadcast under {@code id}, fetched when this process does not have it yet. */
    Object broadcast(long id);

    /** Where what was attached under {@code name} lies in this process, fetched when it is not here yet. */
    Path attached(String name);

    /** A copy of a value that travels; the value itself where nobody can change it. */
    <T> T copy(T value);
}
