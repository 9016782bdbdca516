package dev.hearth.spi.error;

import dev.hearth.api.HearthException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What a failure was, once the wrappers that futures put around it are taken off. */
public final class Failures {
    private static final int CAUSES_MAX = 16;

    private Failures() {}

    /** The failure inside any {@link CompletionException} or {@link ExecutionException}. */
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

    /** One line for a person: our own messages as they are, anything else with its class. */
    public static String describe(Throwable failure) {
        Throwable inner = unwrap(failure);
        return inner instanceof HearthException known ? String.valueOf(known.getMessage()) : inner.toString();
    }

    /** The code of a failure: {@code INTERNAL} for what is none of ours. */
    public static ErrorCode code(Throwable failure) {
        return unwrap(failure) instanceof HearthException known
                ? ErrorCode.of(known).orElse(ErrorCode.INTERNAL)
                : ErrorCode.INTERNAL;
    }

    /** The failure as one of ours, keeping what it was when it is already. */
    public static HearthException asHearth(Throwable failure, ErrorCode otherwise, String subject) {
        Throwable inner = unwrap(failure);
        return inner instanceof HearthException known ? known : otherwise.failure(subject + ": " + inner, inner);
    }
}
