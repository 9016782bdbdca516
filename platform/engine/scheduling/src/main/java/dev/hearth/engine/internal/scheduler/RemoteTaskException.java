package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskFailure.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the driver for the exception of a task, because the driver may not have its class. Contains the texts and
 * stack traces of the exception and its causes, and is printed as if it were that exception.
 */
final class RemoteTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    private RemoteTaskException(String text, List<StackTraceElement> frames, @Nullable Throwable cause) {
        super(text, cause, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }

    static RemoteTaskException of(TaskFailure failure) {
        RemoteTaskException cause = null;
        for (int at = failure.causes().size() - 1; at >= 0; at--) {
            Cause known = failure.causes().get(at);
            cause = new RemoteTaskException(known.text(), known.frames(), cause);
        }
        String text = failure.thrown().isEmpty() ? failure.text() : failure.thrown();
        return new RemoteTaskException(text, failure.frames(), cause);
    }

    /** Class and message of the original exception, which stack traces print. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is the whole text already
    public String toString() {
        return String.valueOf(getMessage());
    }
}
