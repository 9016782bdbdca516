package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReader;

/**
 * Readers of data on other executors. {@code shuffles} reads map outputs, also those of this executor; {@code cached}
 * reads cached blocks.
 */
public record RemoteReads(ShuffleReader shuffles, RemoteCachedBlocks cached) {}
