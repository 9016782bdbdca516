package dev.hearth.engine.internal.scheduler;

import java.util.List;

/**
 * Replaces the exception of a task in the driver, which may not have the class of the original. Contains its text and
 * stack trace.
 */
final class RemoteTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    RemoteTaskException(String text, List<StackTraceElement> frames) {
        super(text, null, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
}
