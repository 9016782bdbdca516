package dev.hearth.engine.internal.barrier;

import dev.hearth.engine.internal.scheduler.TaskSetId;

/**
 * Call of a task that enters a barrier and waits for the other tasks. {@code request} identifies the call, so that its
 * answer and its retries can be matched to it.
 */
public record BarrierCall(long request, TaskSetId set, int partition, Kind kind, String message) {
    /**
     * Kind of barrier: without messages, or with a message of each task to all tasks. Messages contain a kind as its
     * ordinal, so new constants are only added at the end.
     */
    public enum Kind {
        /** Waits until all tasks of the stage attempt have entered the barrier. No messages are exchanged. */
        BARRIER,
        /**
         * Waits until all tasks of the stage attempt have entered the barrier. Each task sends a message with its call,
         * and gets the messages of all tasks.
         */
        ALL_GATHER
    }
}
