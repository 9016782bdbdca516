package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.FailureFrames;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Methods by which application threads wait for futures that the driver's event loop completes. */
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
            throw rethrown(failure);
        }
    }

    /**
     * Waits for {@code stage} without reacting to interrupts, because its work is bounded and must not be abandoned
     * halfway. If the thread was interrupted, sets its interrupt flag again afterwards.
     */
    static <R> R joinUninterruptibly(CompletionStage<R> stage) {
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
            throw rethrown(failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Converts the failure of a future, which occurred on another thread, to an exception with the stack trace of the
     * waiting caller, which begins with the line of user code.
     */
    static HearthException rethrown(ExecutionException failure) {
        HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, "job");
        return FailureFrames.fromUser(new HearthException(
                inner.code(), String.valueOf(inner.getMessage()), inner.getCause() == null ? inner : inner.getCause()));
    }
}
