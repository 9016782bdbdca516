package dev.hearth.engine.internal.scheduler;

import java.util.List;

/**
 * Stand-in for the exception of a task: its text and stack trace. The driver may not know the class of the original.
 */
final class RemoteTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    RemoteTaskException(String text, List<StackTraceElement> frames) {
        super(text, null, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
}
