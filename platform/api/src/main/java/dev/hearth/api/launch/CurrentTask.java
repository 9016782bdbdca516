package dev.hearth.api.launch;

import org.jspecify.annotations.Nullable;

/** Which task each thread runs. */
final class CurrentTask {
    static final ThreadLocal<@Nullable TaskRuntime> RUNTIME = new ThreadLocal<>();

    private CurrentTask() {}
}
