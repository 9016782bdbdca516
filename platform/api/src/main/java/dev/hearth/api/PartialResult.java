package dev.hearth.api;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The result of an approximate job. The initial value is an estimate at the time-out; the final value is exact and
 * comes when the job ends. Thread-safe.
 */
public final class PartialResult<R> {
    private final R initial;
    private final boolean complete;
    private final Supplier<R> ending;
    private final CompletionStage<R> stage;

    /**
     * Constructor for engines. {@code complete} says that {@code initial} is the final value. {@code ending} waits for
     * the end of the job and returns the final value; {@code stage} completes with the final value or with a {@link
     * HearthException}.
     */
    public PartialResult(R initial, boolean complete, Supplier<R> ending, CompletionStage<R> stage) {
        this.initial = initial;
        this.complete = complete;
        this.ending = ending;
        this.stage = stage;
    }

    /**
     * The value at the time-out, or the final value if the job ended earlier.
     * <pre>{@code double about = doubles.sumApprox(Duration.ofSeconds(1)).initial().mean();}</pre>
     */
    public R initial() {
        return initial;
    }

    /**
     * Whether the initial value is final: the job ended before its time-out.
     * <pre>{@code boolean all = doubles.sumApprox(Duration.ofSeconds(1)).isFinal();}</pre>
     */
    public boolean isFinal() {
        return complete;
    }

    /**
     * Waits for the end of the job and returns the final value.
     * <pre>{@code double sum = doubles.sumApprox(Duration.ofSeconds(1)).last().mean();}</pre>
     */
    public R last() {
        return complete ? initial : ending.get();
    }

    /**
     * Calls {@code action} with the final value, on a thread of the application. If the initial value is final, the
     * call happens at once.
     * <pre>{@code doubles.sumApprox(Duration.ofSeconds(1)).onComplete(sum -> System.out.println(sum.mean()));}</pre>
     */
    public PartialResult<R> onComplete(Consumer<? super R> action) {
        if (complete) {
            action.accept(initial);
        } else {
            stage.thenAccept(action);
        }
        return this;
    }

    /**
     * If the job fails, calls {@code action} with the exception, on a thread of the application.
     * <pre>{@code doubles.sumApprox(Duration.ofSeconds(1)).onFail(failure -> System.err.println(failure.code()));}</pre>
     */
    public PartialResult<R> onFail(Consumer<? super HearthException> action) {
        if (!complete) {
            stage.whenComplete((found, failure) -> {
                if (failure != null) {
                    action.accept(hearthException(failure));
                }
            });
        }
        return this;
    }

    private static HearthException hearthException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HearthException found) {
                return found;
            }
        }
        return new HearthException("TASK_FAILED", "job: " + failure, failure);
    }

    /**
     * A partial result whose initial and final values are mapped by {@code function}.
     * <pre>{@code PartialResult<Double> sum = doubles.sumApprox(Duration.ofSeconds(1)).map(Estimate::mean);}</pre>
     */
    public <S> PartialResult<S> map(Function<? super R, ? extends S> function) {
        return new PartialResult<S>(
                function.apply(initial), complete, () -> function.apply(ending.get()), stage.thenApply(function));
    }

    @Override
    public String toString() {
        return (complete ? "final: " : "partial: ") + initial;
    }
}
