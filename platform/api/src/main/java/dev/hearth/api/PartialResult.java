package dev.hearth.api;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a job had found when its time was over; it goes on, and what it finds in the end can be waited for. Any thread may ask. */
public final class PartialResult<R> {
    private final R initial;
    private final boolean complete;
    private final Supplier<R> ending;
    private final CompletionStage<R> stage;

    /** For engines. {@code ending} waits for the job; {@code stage} tells of the same end, or of a {@link HearthException}. */
    public PartialResult(R initial, boolean complete, Supplier<R> ending, CompletionStage<R> stage) {
        this.initial = initial;
        this.complete = complete;
        this.ending = ending;
        this.stage = stage;
    }

    /** What was known when the time was over. <pre>{@code double about = doubles.sumApprox(Duration.ofSeconds(1)).initial().mean();}</pre> */
    public R initial() {
        return initial;
    }

    /** Whether all was known by then. <pre>{@code boolean all = doubles.sumApprox(Duration.ofSeconds(1)).isFinal();}</pre> */
    public boolean isFinal() {
        return complete;
    }

    /** Waits for the end of the job. <pre>{@code double sum = doubles.sumApprox(Duration.ofSeconds(1)).last().mean();}</pre> */
    public R last() {
        return complete ? initial : ending.get();
    }

    /** Gives what is known in the end to {@code action}, on a thread of the application; at once where that is known. <pre>{@code doubles.sumApprox(Duration.ofSeconds(1)).onComplete(sum -> System.out.println(sum.mean()));}</pre> */
    public PartialResult<R> onComplete(Consumer<? super R> action) {
        if (complete) {
            action.accept(initial);
        } else {
            stage.thenAccept(action);
        }
        return this;
    }

    /** Tells {@code action} why the job failed, if it does, on a thread of the application. <pre>{@code doubles.sumApprox(Duration.ofSeconds(1)).onFail(failure -> System.err.println(failure.code()));}</pre> */
    public PartialResult<R> onFail(Consumer<? super HearthException> action) {
        if (!complete) {
            stage.whenComplete((found, failure) -> {
                if (failure != null) {
                    action.accept(known(failure));
                }
            });
        }
        return this;
    }

    private static HearthException known(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HearthException found) {
                return found;
            }
        }
        return new HearthException("TASK_FAILED", "job: " + failure, failure);
    }

    /** The same of something else: what {@code function} makes of what is known. <pre>{@code PartialResult<Double> sum = doubles.sumApprox(Duration.ofSeconds(1)).map(Estimate::mean);}</pre> */
    public <S> PartialResult<S> map(Function<? super R, ? extends S> function) {
        return new PartialResult<S>(
                function.apply(initial), complete, () -> function.apply(ending.get()), stage.thenApply(function));
    }

    @Override
    public String toString() {
        return (complete ? "final: " : "partial: ") + initial;
    }
}
