package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReader;

/**
 * Readers of data on other executors. The shuffle reader also reads this executor's own map outputs; the second one
 * reads cached blocks.
 */
public record RemoteReads(ShuffleReader shuffles, RemoteCachedBlocks cached) {}
