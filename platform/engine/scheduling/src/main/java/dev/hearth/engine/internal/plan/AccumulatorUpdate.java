package dev.hearth.engine.internal.plan;

/** What one attempt added to one accumulator, as a {@link dev.hearth.api.accumulator.Accumulation} or its bytes. */
public record AccumulatorUpdate(long accumulator, TaskResult part) {}
