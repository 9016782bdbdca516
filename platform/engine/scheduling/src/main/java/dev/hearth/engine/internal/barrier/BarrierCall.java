package dev.hearth.engine.internal.barrier;

import dev.hearth.engine.internal.scheduler.TaskSetId;

/** A task has come to a barrier. {@code request} names the call in the answer, and a repetition of the same call. */
public record BarrierCall(long request, TaskSetId set, int partition, Kind kind, String message) {
    /** What a task waits for. Constants are only added at the end: they travel by position. */
    public enum Kind {
        /** That all are here. */
        BARRIER,
        /** What all have brought. */
        ALL_GATHER
    }
}
