package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Methods by which application threads wait for results of the driver's event loop. */
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
     * Waits without reacting to interrupts, for bounded work that must not be abandoned halfway. Sets the interrupt
     * flag again afterwards.
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

    /** Converts a failure on the driver's event loop to an exception with the stack trace of the waiting caller. */
    static HearthException rethrown(ExecutionException failure) {
        HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, "job");
        return new HearthException(
                inner.code(), String.valueOf(inner.getMessage()), inner.getCause() == null ? inner : inner.getCause());
    }
}
