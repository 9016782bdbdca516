package dev.hearth.engine.internal.barrier;

import dev.hearth.engine.internal.scheduler.TaskSetId;

/**
 * Call of a task that enters a barrier and waits for the other tasks. {@code request} identifies the call, so that its
 * answer and its retries can be matched to it.
 */
public record BarrierCall(long request, TaskSetId set, int partition, Kind kind, String message) {
    /** Kind of barrier. It is sent as its ordinal, so new constants are only added at the end. */
    public enum Kind {
        /** Waits until all tasks of the stage have entered the barrier. */
        BARRIER,
        /** Waits as {@link #BARRIER} does, and gives each task the messages of all tasks. */
        ALL_GATHER
    }
}
