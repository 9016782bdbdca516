package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** How threads of the application wait for what happens on the driver's loop. */
final class Waiting {
    private Waiting() {}

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

    /** A failure of the loop's, thrown again with the stack of the caller who waited for it. */
    static HearthException seenFromHere(ExecutionException failure) {
        HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, "job");
        return new HearthException(
                inner.code(), String.valueOf(inner.getMessage()), inner.getCause() == null ? inner : inner.getCause());
    }
}
