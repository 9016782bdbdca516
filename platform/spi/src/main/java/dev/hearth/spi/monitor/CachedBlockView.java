package dev.hearth.spi.monitor;

/** A partition of a dataset that is kept: on which executor, and the bytes it takes there. */
public record CachedBlockView(int partition, String executor, long memoryBytes, long diskBytes) {}
