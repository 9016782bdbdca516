package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.StagePlan;

/**
 * Tasks to be run: those {@code partitions} of a stage that are missing. {@code job} is the oldest that needs them and ranks them
 * first in, first out; {@code pool} is where they queue under fair scheduling.
 */
@SuppressWarnings(
        "ArrayRecordComponent") // never changed by anybody; millions of partitions must not be millions of boxes
public record TaskSetSpec(
        TaskSetId id, int job, StagePlan plan, int[] partitions, String pool, boolean interruptOnCancel) {}
