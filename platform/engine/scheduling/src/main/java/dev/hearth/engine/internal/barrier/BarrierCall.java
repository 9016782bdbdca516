package dev.hearth.engine.internal.barrier;

import dev.hearth.engine.internal.scheduler.TaskSetId;

/** A task enters a barrier. {@code request} identifies the call in its answer and in retries of it. */
public record BarrierCall(long request, TaskSetId set, int partition, Kind kind, String message) {
    /** Kind of barrier. Sent by ordinal: new constants are added at the end. */
    public enum Kind {
        /** Waits until all tasks have entered. */
        BARRIER,
        /** Waits for the messages of all tasks. */
        ALL_GATHER
    }
}
