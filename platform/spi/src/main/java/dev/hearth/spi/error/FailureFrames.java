package dev.hearth.spi.error;

import dev.hearth.api.HearthException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Frames of user code in the stack traces of a failure and its causes, as opposed to frames of Hearth and the JDK, for
 * display. Names of class loaders and modules are left out. Stateless.
 */
public final class FailureFrames {
    /** Maximum number of frames that are shown below an error line. */
    public static final int SHOWN_MAX = 10;

    private static final int CAUSES_MAX = 16;
    private static final List<String> OURS = List.of(
            "dev.hearth.api.",
            "dev.hearth.spi.",
            "dev.hearth.engine.internal.",
            "dev.hearth.kernel.",
            "dev.hearth.embedded.");
    private static final List<String> PLATFORM =
            List.of("dev.hearth.status.", "dev.hearth.rpc.", "dev.hearth.local.", "io.netty.", "org.apache.felix.");
    /** Code that calls the main method of an application: what called it in turn is not the application's. */
    private static final List<String> LAUNCHERS =
            List.of("dev.hearth.submission.api.", "dev.hearth.submission.internal.", "dev.hearth.shell.");

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private FailureFrames() {}

    /** Whether the class named {@code type} belongs to the engine or what it is built on. */
    public static boolean isOurs(String type) {
        return OURS.stream().anyMatch(type::startsWith);
    }

    /** Whether the class named {@code type} belongs neither to the engine nor to the JDK. */
    public static boolean isUsers(String type) {
        return !isOurs(type) && JDK.stream().noneMatch(type::startsWith);
    }

    /** A frame as stack traces print it, without the names of class loader and module. */
    public static String show(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    /**
     * Lines to print below the error line of {@code failure}: the frames of user code of the exception that caused it,
     * those of its causes, and the line of user code that called Hearth. Empty if user code is in no stack trace.
     */
    public static List<String> lines(Throwable failure) {
        List<Throwable> chain = chain(failure);
        int first = 0; // exception that is not one of Hearth
        while (first < chain.size() && chain.get(first) instanceof HearthException) {
            first++;
        }
        List<String> lines = new ArrayList<>();
        int shown = 0;
        List<String> enclosing = List.of();
        for (Throwable at : chain.subList(first, chain.size())) {
            List<String> frames = frames(at);
            List<String> own = frames.subList(0, frames.size() - common(frames, enclosing));
            enclosing = frames;
            if (shown < SHOWN_MAX && !own.isEmpty()) {
                if (shown > 0) {
                    lines.add("  caused by " + at.toString().lines().findFirst().orElse(""));
                }
                own.stream().limit(SHOWN_MAX - shown).forEach(frame -> lines.add("  at " + frame));
                shown += own.size();
            }
        }
        List<String> calls = chain.subList(0, first).stream()
                .map(FailureFrames::frames)
                .filter(frames -> !frames.isEmpty())
                .findFirst()
                .orElse(List.of());
        if (shown == 0) {
            calls.stream().limit(SHOWN_MAX).forEach(frame -> lines.add("  at " + frame));
        } else if (shown < SHOWN_MAX && !calls.isEmpty() && !lines.contains("  at " + calls.get(0))) {
            lines.add("  called at " + calls.get(0));
        }
        return lines;
    }

    private static List<Throwable> chain(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        Throwable at = failure;
        while (at != null && chain.size() < CAUSES_MAX && seen.add(at)) {
            chain.add(at);
            at = at.getCause();
        }
        return chain;
    }

    private static List<String> frames(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .takeWhile(frame -> LAUNCHERS.stream().noneMatch(frame.getClassName()::startsWith))
                .filter(frame ->
                        isUsers(frame.getClassName()) && PLATFORM.stream().noneMatch(frame.getClassName()::startsWith))
                .map(FailureFrames::show)
                .toList();
    }

    /** Number of frames at the end that a stack trace has in common with that of the exception around it. */
    private static int common(List<String> frames, List<String> enclosing) {
        int common = 0;
        while (common < Math.min(frames.size(), enclosing.size())
                && frames.get(frames.size() - 1 - common).equals(enclosing.get(enclosing.size() - 1 - common))) {
            common++;
        }
        return common;
    }

    /**
     * Removes the frames of Hearth at the top of the stack trace of {@code failure}, so that it begins with the line of
     * user code that called Hearth. A stack trace without user code stays as it is.
     */
    public static <T extends Throwable> T fromUser(T failure) {
        StackTraceElement[] all = failure.getStackTrace();
        int first = 0;
        while (first < all.length && !isUsers(all[first].getClassName())) {
            first++;
        }
        if (first < all.length) {
            failure.setStackTrace(Arrays.copyOfRange(all, first, all.length));
        }
        return failure;
    }
}
