package dev.hearth.engine.internal.dataset;

import java.util.List;

/** Where in the user's code something was asked for: {@code count at Main.java:12}, and the frames below. */
public record CallSite(String shown, String frames) {
    private static final int FRAMES_MAX = 20;
    private static final StackWalker FRAMES = StackWalker.getInstance();
    private static final List<String> OURS =
            List.of("dev.hearth.api.", "dev.hearth.engine.", "dev.hearth.embedded.", "java.", "jdk.");

    /** The place of the innermost frame that is not ours. */
    static CallSite of(String operation) {
        List<StackWalker.StackFrame> user =
                FRAMES.walk(frames -> frames.dropWhile(frame -> isOurs(frame.getClassName()))
                        .limit(FRAMES_MAX)
                        .toList());
        if (user.isEmpty()) {
            return new CallSite(operation, "");
        }
        StringBuilder below = new StringBuilder();
        for (StackWalker.StackFrame frame : user) {
            below.append(frame.toStackTraceElement()).append('\n');
        }
        StackWalker.StackFrame first = user.get(0);
        return new CallSite(
                operation + " at " + first.getFileName() + ":" + first.getLineNumber(),
                below.toString().strip());
    }

    private static boolean isOurs(String type) {
        return OURS.stream().anyMatch(type::startsWith);
    }
}
