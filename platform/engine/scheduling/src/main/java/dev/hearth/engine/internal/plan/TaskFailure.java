package dev.hearth.engine.internal.plan;

import java.util.List;

/** An exception as text and frames: its class may be one that the driver cannot load. {@code type} is its class's name. */
public record TaskFailure(String type, String text, List<StackTraceElement> frames) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of());

    public TaskFailure {
        frames = List.copyOf(frames);
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of());
    }
}
