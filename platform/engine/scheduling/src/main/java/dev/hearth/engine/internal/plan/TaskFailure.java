package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * An exception as text and frames, because the driver may be unable to load its class. {@code type} is the name of the class. A
 * {@code permanent} failure would occur in every attempt.
 */
public record TaskFailure(String type, String text, List<StackTraceElement> frames, boolean permanent) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of(), false);

    public TaskFailure {
        frames = List.copyOf(frames);
    }

    /** Appends the {@code rule} that was broken to {@code text}, unless {@code text} states a rule already. */
    public static String expecting(String text, String rule) {
        return text.contains("(expected: ") ? text : text + " (expected: " + rule + ")";
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of(), false);
    }
}
