package dev.hearth.engine.internal.scheduler;

import java.util.List;

/** What a task threw on its executor, as text with the frames it had there; its own class may be unknown here. */
final class RemoteTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    RemoteTaskException(String text, List<StackTraceElement> frames) {
        super(text, null, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
}
