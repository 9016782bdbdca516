package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReader;

/**
 * Readers of the data that executors of the application store. {@code shuffles} reads map outputs, also those of this
 * executor; {@code cached} reads cached blocks of other executors.
 */
public record RemoteReads(ShuffleReader shuffles, RemoteCachedBlocks cached) {}
