package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CachedBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockIterator;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cached blocks of other executors, which this executor reads and copies from the locations that the driver sent.
 * Remembers a bounded number of locations. A block is fetched as a whole before any element is returned, so that an
 * unreadable one can be recomputed. Any thread may call.
 */
public final class RemoteCachedBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCachedBlocks.class);
    static final int LOCATIONS_MAX = 65_536; // number of blocks; the oldest are dropped first

    /** Storage level of a block that is fetched for one reader. */
    private static final StorageLevel FETCHED = StorageLevel.MEMORY_AND_DISK_SER;

    private final RemoteShuffleReader network;
    private final Supplier<BlockStore> blocks;
    private final Executor work;
    private final Map<BlockId, List<BlockServerAddress>> places = new LinkedHashMap<>(); // guarded by itself

    /** {@code network} reaches other executors; {@code work} runs steps that may touch a disk. */
    public RemoteCachedBlocks(RemoteShuffleReader network, Supplier<BlockStore> blocks, Executor work) {
        this.network = network;
        this.blocks = blocks;
        this.work = work;
    }

    /** Stores locations of blocks that the driver sent. */
    public void define(UpdateCachedBlocks message) {
        synchronized (places) {
            for (CachedBlock place : message.places()) {
                BlockId id = new BlockId(place.dataset(), place.partition());
                places.remove(id); // moves the entry to the end
                places.put(id, place.holders());
            }
            while (places.size() > LOCATIONS_MAX) {
                places.remove(places.keySet().iterator().next());
            }
        }
    }

    /** Removes the locations of a dataset that is no longer cached anywhere. */
    public void forget(int dataset) {
        synchronized (places) {
            places.keySet().removeIf(id -> id.dataset() == dataset);
        }
    }

    /** Reads a block from an executor that caches it; empty if none can supply it. The task waits for it. */
    public Optional<BlockIterator> read(BlockId id, ShuffleReadContext task, Runnable check) {
        List<BlockServerAddress> holders;
        synchronized (places) {
            holders = places.getOrDefault(id, List.of());
        }
        for (BlockServerAddress holder : holders) {
            Optional<BlockIterator> found =
                    network.isSelf(holder.executor()) ? Optional.empty() : read(id, holder, task, check);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<BlockIterator> read(
            BlockId id, BlockServerAddress holder, ShuffleReadContext task, Runnable check) {
        CachedBlockFetch copy = copy(id, FETCHED, holder, !network.isSent(holder));
        try {
            BlockWriter whole = task.await(copy.start(), id + " at executor " + holder.executor());
            return Optional.of(blocks.get().lend(whole, check));
        } catch (HearthException failure) {
            if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
                throw failure;
            }
            LOG.info("{}: cannot be read from executor {}: {}", id, holder.executor(), Failures.describe(failure));
            return Optional.empty();
        } finally {
            copy.abort(); // cancels the copy, unless it succeeded
        }
    }

    /** Replicates a block of another executor; completes when it is cached here, and fails if it cannot be. */
    public CompletionStage<Void> keep(ReplicateBlock order) {
        BlockId id = new BlockId(order.dataset(), order.partition());
        CompletableFuture<BlockWriter> copied =
                copy(id, order.level(), order.from(), false).start();
        CompletionStage<BlockWriter> coming = copied;
        return coming.thenAccept(BlockWriter::publish);
    }

    private CachedBlockFetch copy(BlockId id, StorageLevel level, BlockServerAddress holder, boolean inPlace) {
        return new CachedBlockFetch(
                network.holders(), holder, id, work, () -> blocks.get().receive(id, level), network.files(), inPlace);
    }
}
