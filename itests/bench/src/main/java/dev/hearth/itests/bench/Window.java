package dev.hearth.itests.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Bounds how much is under way, and ends the waiting when something fails. One thread enters; any thread leaves. */
final class Window {
    private final int places;
    private final Semaphore free;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    Window(int places) {
        this.places = places;
        this.free = new Semaphore(places);
    }

    /** Takes a place, waiting for one; fails with what failed. */
    void enter() throws InterruptedException, ExecutionException {
        acquire(1);
    }

    /** Waits until everybody has left; fails with what failed. */
    void awaitEmpty() throws InterruptedException, ExecutionException {
        acquire(places);
    }

    /** Gives a place back when {@code answer} is there and {@code action} is done with it. */
    <R> void leaveAfter(CompletionStage<R> answer, Consumer<R> action) {
        observe(answer, failed, result -> {
            action.accept(result);
            free.release();
        });
    }

    /** Runs {@code action} with the answer; its failure, and that of the answer, end in {@code done}. */
    @SuppressWarnings("FutureReturnValueIgnored") // both failures end in 'done'
    static <R> void observe(CompletionStage<R> answer, CompletableFuture<Void> done, Consumer<R> action) {
        answer.whenComplete((result, failure) -> {
            if (failure != null) {
                done.completeExceptionally(failure);
                return;
            }
            try {
                action.accept(result);
            } catch (RuntimeException mistake) {
                done.completeExceptionally(mistake);
            }
        });
    }

    private void acquire(int permits) throws InterruptedException, ExecutionException {
        if (free.tryAcquire(permits)) {
            return;
        }
        while (!free.tryAcquire(permits, 1, TimeUnit.SECONDS)) {
            if (failed.isDone()) {
                failed.get();
            }
        }
    }
}
