package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** How threads of the application wait for what happens on the driver's loop. */
final class BlockingCalls {
    private BlockingCalls() {}

    static <R> R join(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw ErrorCode.APPLICATION_KILLED.failure(
                    "context: the thread that waited for it was interrupted", interrupted);
        } catch (ExecutionException failure) {
            throw seenFromHere(failure);
        }
    }

    /** Waits for what has a bound of its own and must not be left halfway; an interrupt meanwhile is there again afterwards. */
    static <R> R joinToTheEnd(CompletionStage<R> stage) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return stage.toCompletableFuture().get();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            throw seenFromHere(failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A failure of the loop's, thrown again with the stack of the caller who waited for it. */
    static HearthException seenFromHere(ExecutionException failure) {
        HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, "job");
        return new HearthException(
                inner.code(), String.valueOf(inner.getMessage()), inner.getCause() == null ? inner : inner.getCause());
    }
}
