package dev.hearth.engine.internal.scheduler;

import java.util.List;

/**
 * Stands in the driver for the exception of a task, because the driver may not have its class. Contains the text and
 * stack trace of the task's exception.
 */
final class RemoteTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    RemoteTaskException(String text, List<StackTraceElement> frames) {
        super(text, null, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
}
