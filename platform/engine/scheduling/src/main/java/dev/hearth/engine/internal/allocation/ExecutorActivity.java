package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * The activity of one executor, as input of dynamic allocation. {@code slots} is the number of tasks
 * that it runs at the same time. {@code busy} says whether the executor runs or queues
 * attempts. {@code quietNanos} is the time at which an attempt last began or ended there. Before the first attempt, it
 * is the time at which the executor registered.
 */
public record ExecutorActivity(ExecutorId executor, int slots, boolean busy, long quietNanos) {}
