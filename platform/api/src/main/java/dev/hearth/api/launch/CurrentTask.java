package dev.hearth.api.launch;

import org.jspecify.annotations.Nullable;

/** The current task of each thread. */
final class CurrentTask {
    static final ThreadLocal<@Nullable TaskRuntime> RUNTIME = new ThreadLocal<>();

    private CurrentTask() {}
}
