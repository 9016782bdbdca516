package dev.hearth.api;

import java.util.function.Supplier;

/** What a job had found when its time was over; it goes on, and what it finds in the end can be waited for. Any thread may ask. */
public final class PartialResult<R> {
    private final R initial;
    private final boolean complete;
    private final Supplier<R> ending;

    /** For engines. {@code ending} waits for the job. */
    public PartialResult(R initial, boolean complete, Supplier<R> ending) {
        this.initial = initial;
        this.complete = complete;
        this.ending = ending;
    }

    /** What was known when the time was over. */
    public R initial() {
        return initial;
    }

    /** Whether all was known by then. */
    public boolean isFinal() {
        return complete;
    }

    /** Waits for the end of the job. */
    public R last() {
        return complete ? initial : ending.get();
    }

    @Override
    public String toString() {
        return (complete ? "final: " : "partial: ") + initial;
    }
}
