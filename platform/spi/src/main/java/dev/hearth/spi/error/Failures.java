package dev.hearth.spi.error;

import dev.hearth.api.HearthException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Finds the original exception, the description and the error code of a failure. Stateless. */
public final class Failures {
    private static final int CAUSES_MAX = 16;

    private Failures() {}

    /** Removes the {@link CompletionException} and {@link ExecutionException} that futures wrap around a failure. */
    public static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        for (int depth = 0; depth < CAUSES_MAX; depth++) {
            Throwable cause = inner.getCause();
            if (cause == null || !(inner instanceof CompletionException || inner instanceof ExecutionException)) {
                return inner;
            }
            inner = cause;
        }
        return inner;
    }

    /** One-line description for display: the message of a {@link HearthException}, or else its class and message. */
    public static String describe(Throwable failure) {
        Throwable inner = unwrap(failure);
        return inner instanceof HearthException known ? String.valueOf(known.getMessage()) : inner.toString();
    }

    /**
     * Appends the broken {@code rule} to {@code text} as {@code (expected: rule)}, unless {@code text} has such a part
     * already.
     */
    public static String expecting(String text, String rule) {
        return text.contains("(expected: ") ? text : text + " (expected: " + rule + ")";
    }

    /**
     * Error code of the exception that {@link #unwrap} finds in {@code failure}; {@code INTERNAL} if it is no {@link
     * HearthException} with a code that this version knows.
     */
    public static ErrorCode code(Throwable failure) {
        return unwrap(failure) instanceof HearthException known
                ? ErrorCode.of(known).orElse(ErrorCode.INTERNAL)
                : ErrorCode.INTERNAL;
    }

    /**
     * Converts a failure to a {@link HearthException}. A failure that already is one is returned unchanged; any other
     * failure gets the code {@code otherwise} and a message that begins with {@code subject}.
     */
    public static HearthException asHearth(Throwable failure, ErrorCode otherwise, String subject) {
        Throwable inner = unwrap(failure);
        return inner instanceof HearthException known ? known : otherwise.failure(subject + ": " + inner, inner);
    }
}
