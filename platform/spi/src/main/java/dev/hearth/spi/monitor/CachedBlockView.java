package dev.hearth.spi.monitor;

/** One cached partition of a dataset on one executor, with the bytes that it takes in memory and on disk. */
public record CachedBlockView(int partition, String executor, long memoryBytes, long diskBytes) {}
