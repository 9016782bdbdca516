package dev.hearth.spi.rpc;

import java.util.concurrent.CompletionStage;

/**
 * Pending ask, that is, a message that still waits for its answer, which the caller can abort. {@code abort} fails the
 * answer with {@code ASK_ABORTED} unless it has completed.
 */
public record AbortableAsk<R extends Record>(CompletionStage<R> answer, Runnable abort) {}
