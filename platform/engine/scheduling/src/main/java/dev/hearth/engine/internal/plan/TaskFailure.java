package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * An exception of a task as text and stack frames, because the driver may be unable to load its class. {@code type} is
 * the name of the class. {@code text} describes the exception and its causes in one line. {@code permanent} means that
 * every other attempt would fail in the same way. {@code thrown} describes the exception alone, and {@code causes} its
 * causes, the direct one first; executors of older versions report neither.
 */
public record TaskFailure(
        String type,
        String text,
        List<StackTraceElement> frames,
        boolean permanent,
        String thrown,
        List<Cause> causes) {
    public static final TaskFailure NONE = new TaskFailure("", "", List.of(), false);

    public TaskFailure {
        frames = List.copyOf(frames);
        causes = List.copyOf(causes);
    }

    /** Creates a failure of which only the text as a whole is known. */
    public TaskFailure(String type, String text, List<StackTraceElement> frames, boolean permanent) {
        this(type, text, frames, permanent, "", List.of());
    }

    /** Cause of an exception: its class and message, and its frames. */
    public record Cause(String text, List<StackTraceElement> frames) {
        public Cause {
            frames = List.copyOf(frames);
        }
    }

    public static TaskFailure of(String text) {
        return new TaskFailure("", text, List.of(), false);
    }
}
