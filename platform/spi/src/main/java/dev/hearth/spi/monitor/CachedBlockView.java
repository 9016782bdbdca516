package dev.hearth.spi.monitor;

/** Cached partition on one executor, with its memory and disk size. */
public record CachedBlockView(int partition, String executor, long memoryBytes, long diskBytes) {}
