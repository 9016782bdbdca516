package dev.hearth.engine.internal.closure;

import dev.hearth.spi.error.FailureFrames;
import java.util.Optional;

/** Finds the frames of user code in stack traces, as opposed to frames of Hearth and the JDK. Stateless. */
public final class UserStackFrames {
    private static final StackWalker STACK = StackWalker.getInstance();

    private UserStackFrames() {}

    public static boolean isOurs(String type) {
        return FailureFrames.isOurs(type);
    }

    public static boolean isUsers(String type) {
        return FailureFrames.isUsers(type);
    }

    /**
     * The line of user code that called Hearth, in the form {@code Main.java:17}. Empty if no user code is on the
     * stack.
     */
    static Optional<String> caller() {
        return STACK.walk(frames -> frames.filter(frame -> isUsers(frame.getClassName()))
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .findFirst());
    }
}
