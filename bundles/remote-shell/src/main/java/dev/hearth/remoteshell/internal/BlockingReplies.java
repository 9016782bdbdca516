package dev.hearth.remoteshell.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Blocks a thread until an answer from the RPC environment arrives. The time-out of the request bounds the wait. */
final class BlockingReplies {
    private BlockingReplies() {}

    static <T> T forAnswer(CompletionStage<T> promised, String subject) {
        try {
            return promised.toCompletableFuture().get();
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
        } catch (InterruptedException wanted) {
            throw ErrorCode.COMMAND_FAILED.failure(
                    subject + ": the thread that waited for the answer was"
                            + " interrupted (expected: no interrupt before the answer)",
                    wanted);
        }
    }
}
