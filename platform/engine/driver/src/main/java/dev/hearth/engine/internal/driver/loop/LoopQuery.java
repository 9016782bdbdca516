package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.loop.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A query that another thread posts to an event loop. If the event loop has already ended, the query completes with the
 * value {@code ended}.
 */
record LoopQuery<T>(Supplier<CompletionStage<T>> question, CompletableFuture<T> answer, T ended)
        implements EventLoop.Droppable {
    static <T> CompletionStage<T> ask(EventLoop loop, Supplier<CompletionStage<T>> question, T ended) {
        LoopQuery<T> asked = new LoopQuery<>(question, new CompletableFuture<>(), ended);
        loop.execute(asked);
        return asked.answer;
    }

    @Override
    public void run() {
        try {
            question.get().whenComplete((found, failure) -> {
                if (failure == null) {
                    answer.complete(found);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        } catch (Throwable failure) { // catches Errors too, because the calling thread waits for an answer
            answer.completeExceptionally(failure);
        }
    }

    @Override
    public void dropped() {
        answer.complete(ended);
    }
}
