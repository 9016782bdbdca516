package dev.hearth.api.launch;

import org.jspecify.annotations.Nullable;

/** Holds the current task of each thread in a thread-local variable. */
final class CurrentTask {
    static final ThreadLocal<@Nullable TaskRuntime> RUNTIME = new ThreadLocal<>();

    private CurrentTask() {}
}
