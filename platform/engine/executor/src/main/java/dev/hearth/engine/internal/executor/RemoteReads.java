package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReader;

/**
 * The readers of data on other executors: the shuffle reader, which also reads this executor's map outputs, and the
 * reader of cached blocks.
 */
public record RemoteReads(ShuffleReader shuffles, RemoteCachedBlocks cached) {}
