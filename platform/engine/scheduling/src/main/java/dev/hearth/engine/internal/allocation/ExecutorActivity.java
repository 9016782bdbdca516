package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * The activity of one executor: whether it runs or queues attempts, and when it last began or ended one, or registered.
 */
public record ExecutorActivity(ExecutorId executor, int cores, boolean busy, long quietNanos) {}
