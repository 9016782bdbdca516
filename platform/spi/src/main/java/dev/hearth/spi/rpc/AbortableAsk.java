package dev.hearth.spi.rpc;

import java.util.concurrent.CompletionStage;

/**
 * Ask that the caller can abort while its answer is pending. {@code abort} fails {@code answer} with {@code
 * ASK_ABORTED}, unless the answer has arrived.
 */
public record AbortableAsk<R extends Record>(CompletionStage<R> answer, Runnable abort) {}
