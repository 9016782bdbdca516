package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * An exception as text and frames: its class may be one that the driver cannot load. {@code type} is its class's name. One that is
 * {@code permanent} would come again in every other attempt.
 */
public record TaskFailure(String type, String text, List<StackTraceElement> frames, boolean permanent) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of(), false);

    public TaskFailure {
        frames = List.copyOf(frames);
    }

    /** {@code text} with the rule that was broken, unless it tells of a rule already: messages tell of one. */
    public static String expecting(String text, String rule) {
        return text.contains("(expected: ") ? text : text + " (expected: " + rule + ")";
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of(), false);
    }
}
