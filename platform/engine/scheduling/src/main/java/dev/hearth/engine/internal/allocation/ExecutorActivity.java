package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * The activity of one executor: whether the executor runs or queues attempts ({@code busy}), and when an attempt last
 * began or ended there, or else when it registered ({@code quietNanos}).
 */
public record ExecutorActivity(ExecutorId executor, int cores, boolean busy, long quietNanos) {}
