package dev.hearth.remoteshell.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for what the message system promised; its own time-outs bound the waiting. */
final class BlockingReplies {
    private BlockingReplies() {}

    static <T> T forAnswer(CompletionStage<T> promised, String subject) {
        try {
            return promised.toCompletableFuture().get();
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
        } catch (InterruptedException wanted) {
            throw ErrorCode.COMMAND_FAILED.failure(subject + ": interrupted (expected: an answer)", wanted);
        }
    }
}
