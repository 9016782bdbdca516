package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserStackFrames;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.FailureFrames;
import java.io.ObjectStreamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes an exception of a task as text and stack frames. Omits the frames of Hearth, and all frames below the last
 * frame of user code. Stateless.
 */
final class TaskFailures {
    private static final int FRAMES_MAX = 50;
    private static final int TEXT_CHARS_MAX = 10_000;
    private static final int CAUSES_MAX = 16;
    private static final int SHOWN_CAUSES_MAX = 5; // reported with frames of their own
    private static final int CAUSE_FRAMES_MAX = 20;
    private static final int CAUSE_CHARS_MAX = 2_000;
    // Maximum length of class, method and file names, which are otherwise unbounded.
    private static final int NAME_CHARS_MAX = 200;

    private TaskFailures() {}

    /**
     * Returns the type, the text and the stack frames of an exception in serialisable form. Does not fail if methods of
     * the exception throw.
     */
    static TaskFailure describe(Throwable thrown) {
        try {
            return new TaskFailure(
                    thrown.getClass().getName(),
                    text(thrown),
                    frames(thrown, FRAMES_MAX),
                    isPermanent(thrown),
                    shortened(String.valueOf(thrown)),
                    causes(thrown));
        } catch (Throwable worse) {
            return new TaskFailure(
                    thrown.getClass().getName(),
                    thrown.getClass().getName() + " (and describing it threw "
                            + worse.getClass().getName() + ")",
                    List.of(),
                    false);
        }
    }

    private static List<TaskFailure.Cause> causes(Throwable thrown) {
        List<TaskFailure.Cause> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(thrown);
        Throwable cause = thrown.getCause();
        while (cause != null && seen.add(cause) && causes.size() < SHOWN_CAUSES_MAX) {
            causes.add(new TaskFailure.Cause(shortened(String.valueOf(cause)), frames(cause, CAUSE_FRAMES_MAX)));
            cause = cause.getCause();
        }
        return causes;
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), CAUSE_CHARS_MAX));
    }

    private static String text(Throwable thrown) {
        StringBuilder text = new StringBuilder(String.valueOf(thrown));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(thrown);
        Throwable cause = thrown.getCause();
        for (int depth = 0; cause != null && seen.add(cause) && depth < CAUSES_MAX; depth++) {
            boolean ours = thrown instanceof HearthException;
            boolean said = isSaid(cause, text, ours);
            StackTraceElement first = said && ours ? null : firstOfUser(cause);
            text.append(said ? "" : "; caused by " + cause)
                    .append(first == null ? "" : " at " + FailureFrames.show(first));
            cause = cause.getCause();
        }
        return text.substring(0, Math.min(text.length(), TEXT_CHARS_MAX));
    }

    /**
     * Whether the failure text {@code text} already describes {@code cause}. {@code ours} says that an exception of
     * Hearth wraps the cause; then it is enough that the text contains the cause's message.
     */
    private static boolean isSaid(Throwable cause, StringBuilder text, boolean ours) {
        return text.indexOf(String.valueOf(cause)) >= 0
                || (ours
                        && (cause instanceof ObjectStreamException
                                || text.indexOf(String.valueOf(cause.getMessage())) >= 0));
    }

    /**
     * Whether every retry would fail too, because the exception or one of its causes is permanent or reports a call on
     * a wrong thread.
     */
    private static boolean isPermanent(Throwable thrown) {
        Throwable at = thrown;
        for (int depth = 0; at != null && depth < CAUSES_MAX; depth++) {
            if (at instanceof HearthException failure
                    && (failure.isPermanent() || failure.code().equals(ErrorCode.WRONG_THREAD.name()))) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }

    private static @Nullable StackTraceElement firstOfUser(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (UserStackFrames.isUsers(frame.getClassName())) {
                return frame;
            }
        }
        return null;
    }

    private static List<StackTraceElement> frames(Throwable thrown, int most) {
        StackTraceElement[] all = thrown.getStackTrace();
        int last = all.length - 1;
        while (last >= 0 && !UserStackFrames.isUsers(all[last].getClassName())) {
            last--;
        }
        if (last < 0) { // if no frame belongs to user code, all frames are kept
            return Arrays.stream(all).limit(most).map(TaskFailures::cut).toList();
        }
        return Arrays.stream(all, 0, last + 1)
                .filter(frame -> !UserStackFrames.isOurs(frame.getClassName()))
                .limit(most)
                .map(TaskFailures::cut)
                .toList();
    }

    private static StackTraceElement cut(StackTraceElement frame) {
        String file = frame.getFileName();
        return new StackTraceElement(
                cut(frame.getClassName()),
                cut(frame.getMethodName()),
                file == null ? null : cut(file),
                frame.getLineNumber());
    }

    private static String cut(String name) {
        return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
    }
}
