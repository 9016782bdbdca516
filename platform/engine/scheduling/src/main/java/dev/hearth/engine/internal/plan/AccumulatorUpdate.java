package dev.hearth.engine.internal.plan;

/**
 * Update of one accumulator by one task attempt: an {@link dev.hearth.api.accumulator.Accumulation} or its bytes.
 * Immutable.
 */
public record AccumulatorUpdate(long accumulator, TaskResult part) {}
