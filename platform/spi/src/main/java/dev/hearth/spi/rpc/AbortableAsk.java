package dev.hearth.spi.rpc;

import java.util.concurrent.CompletionStage;

/** A question whose answer may stop mattering: {@code abort} fails it with {@code ASK_ABORTED} unless it has its answer. */
public record AbortableAsk<R extends Record>(CompletionStage<R> answer, Runnable abort) {}
