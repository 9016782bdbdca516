package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * The activity of one executor, as input of dynamic allocation. {@code busy} says whether the executor runs or queues
 * attempts. {@code quietNanos} is the time at which an attempt last began or ended there. Before the first attempt, it
 * is the time at which the executor registered.
 */
public record ExecutorActivity(ExecutorId executor, int cores, boolean busy, long quietNanos) {}
