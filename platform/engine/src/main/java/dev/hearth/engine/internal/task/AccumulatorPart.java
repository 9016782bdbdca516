package dev.hearth.engine.internal.task;

/** What one attempt added to one accumulator, as a {@link dev.hearth.api.accumulator.Accumulation} or its bytes. */
public record AccumulatorPart(long accumulator, TaskValue part) {}
