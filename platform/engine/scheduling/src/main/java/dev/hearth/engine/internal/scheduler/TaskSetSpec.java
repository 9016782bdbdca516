package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.StagePlan;

/**
 * A task set as submitted: the missing {@code partitions} of a stage. {@code job} is the oldest job that needs these
 * partitions; FIFO orders task sets by it. {@code pool} is the pool of the task set under FAIR.
 */
@SuppressWarnings("ArrayRecordComponent") // never modified; avoids boxing millions of partition numbers
public record TaskSetSpec(
        TaskSetId id, int job, StagePlan plan, int[] partitions, String pool, boolean interruptOnCancel) {}
