package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReader;

/** The readers of data on other executors: of shuffles, which include this executor's map outputs, and of cached blocks. */
public record RemoteReads(ShuffleReader shuffles, RemoteCachedBlocks cached) {}
