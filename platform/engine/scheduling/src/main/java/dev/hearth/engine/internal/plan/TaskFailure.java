package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * Exception of a task as text and stack frames, because the driver may be unable to load its class. {@code type} is the
 * class name. Immutable.
 */
public record TaskFailure(String type, String text, List<StackTraceElement> frames) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of());

    public TaskFailure {
        frames = List.copyOf(frames);
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of());
    }
}
