package dev.hearth.api.launch;

import org.jspecify.annotations.Nullable;

/** Holds, in a thread-local variable, the runtime of the task attempt that each thread runs. */
final class CurrentTask {
    static final ThreadLocal<@Nullable TaskRuntime> RUNTIME = new ThreadLocal<>();

    private CurrentTask() {}
}
