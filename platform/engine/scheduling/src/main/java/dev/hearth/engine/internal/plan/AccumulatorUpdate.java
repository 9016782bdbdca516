package dev.hearth.engine.internal.plan;

/**
 * Update of one accumulator by one task attempt. The {@code part} is an {@link dev.hearth.api.accumulator.Accumulation}
 * or its serialised form. Immutable.
 */
public record AccumulatorUpdate(long accumulator, TaskResult part) {}
