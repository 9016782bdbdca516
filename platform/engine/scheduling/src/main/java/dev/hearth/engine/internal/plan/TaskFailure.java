package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * An exception of a task as text and stack frames, because the driver may be unable to load its class. {@code type} is
 * the name of the class. {@code permanent} means that every other attempt would fail in the same way.
 */
public record TaskFailure(String type, String text, List<StackTraceElement> frames, boolean permanent) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of(), false);

    public TaskFailure {
        frames = List.copyOf(frames);
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of(), false);
    }
}
