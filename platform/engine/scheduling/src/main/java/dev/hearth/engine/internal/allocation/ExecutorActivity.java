package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/** One executor as it is now: whether it holds attempts, and when it last began or ended one, or else came up. */
public record ExecutorActivity(ExecutorId executor, int cores, boolean busy, long quietNanos) {}
