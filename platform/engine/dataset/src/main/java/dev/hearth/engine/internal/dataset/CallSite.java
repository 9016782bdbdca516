package dev.hearth.engine.internal.dataset;

import dev.hearth.api.DoubleRdd;
import dev.hearth.api.HearthContext;
import dev.hearth.api.PairActions;
import dev.hearth.api.PairJoins;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.RddActions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The line of the user's code that called an action, such as {@code count at Main.java:12}, and the stack frames of its
 * callers. Immutable.
 */
public record CallSite(String shown, String frames) {
    private static final int FRAMES_MAX = 20;
    private static final StackWalker FRAMES = StackWalker.getInstance();
    private static final List<String> OURS =
            List.of("dev.hearth.api.", "dev.hearth.engine.", "dev.hearth.embedded.", "java.", "jdk.");

    private static final Set<String> OPERATIONS = Stream.of(
                    Rdd.class,
                    RddActions.class,
                    PairRdd.class,
                    PairActions.class,
                    PairJoins.class,
                    DoubleRdd.class,
                    HearthContext.class,
                    PlannedRdd.class,
                    PlannedPairs.class,
                    PlannedDoubles.class)
            .map(Class::getName)
            .collect(Collectors.toUnmodifiableSet());

    /**
     * The name of the outermost API method on the stack of the calling thread, which the user's code called. If no API
     * method is on the stack, the result is {@code inner}.
     */
    static String operation(String inner) {
        return FRAMES.walk(frames -> frames.takeWhile(frame -> isOurs(frame.getClassName()))
                .filter(frame -> OPERATIONS.contains(frame.getClassName()))
                .map(StackWalker.StackFrame::getMethodName)
                .filter(method -> method.indexOf('$') < 0)
                .reduce(inner, (before, outer) -> outer));
    }

    /**
     * Creates the call site of the API method that is running: the method's name, and the innermost stack frame of the
     * user's code. If no API method is on the stack, {@code inner} stands for its name.
     */
    static CallSite of(String inner) {
        String operation = operation(inner);
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
