package dev.hearth.engine.internal.closure;

import java.util.List;
import java.util.Optional;

/** Finds the frames of user code in stack traces, as opposed to frames of Hearth and the JDK. Stateless. */
public final class UserStackFrames {
    private static final List<String> OURS = List.of(
            "dev.hearth.api.",
            "dev.hearth.spi.",
            "dev.hearth.engine.internal.",
            "dev.hearth.kernel.",
            "dev.hearth.embedded.");
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");
    private static final StackWalker STACK = StackWalker.getInstance();

    private UserStackFrames() {}

    public static boolean isOurs(String type) {
        return OURS.stream().anyMatch(type::startsWith);
    }

    public static boolean isUsers(String type) {
        return !isOurs(type) && JDK.stream().noneMatch(type::startsWith);
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
