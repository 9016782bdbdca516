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
 * Reads and copies blocks that other executors cache, at the locations that the driver sent. Remembers a bounded number
 * of locations. A block is fetched completely before any element is returned, so that an unreadable block can be
 * recomputed. Any thread may call.
 */
public final class RemoteCachedBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCachedBlocks.class);
    // maximum number of blocks with known locations; the oldest are removed first
    static final int LOCATIONS_MAX = 65_536;

    /** Storage level at which a block of another executor is stored here for the one task that reads it. */
    private static final StorageLevel FETCHED = StorageLevel.MEMORY_AND_DISK_SER;

    private final RemoteShuffleReader network;
    private final Supplier<BlockStore> blocks;
    private final Executor work;
    private final Map<BlockId, List<BlockServerAddress>> places = new LinkedHashMap<>(); // guarded by itself

    /**
     * {@code network} reaches other executors, {@code blocks} supplies this executor's store, and {@code work} runs
     * steps that may wait for a disk.
     */
    public RemoteCachedBlocks(RemoteShuffleReader network, Supplier<BlockStore> blocks, Executor work) {
        this.network = network;
        this.blocks = blocks;
        this.work = work;
    }

    /**
     * Stores, for later reads by tasks, which executors cache which blocks, as the driver reports in {@code message}.
     */
    public void define(UpdateCachedBlocks message) {
        synchronized (places) {
            for (CachedBlock place : message.places()) {
                BlockId id = new BlockId(place.dataset(), place.partition());
                places.remove(id); // removed first, so that the entry becomes the newest
                places.put(id, place.holders());
            }
            while (places.size() > LOCATIONS_MAX) {
                places.remove(places.keySet().iterator().next());
            }
        }
    }

    /** Forgets on which executors the blocks of a dataset are cached, as no executor caches them any more. */
    public void forget(int dataset) {
        synchronized (places) {
            places.keySet().removeIf(id -> id.dataset() == dataset);
        }
    }

    /**
     * Reads the block {@code id} from the first executor that can supply it, and blocks the thread of {@code task}
     * meanwhile. Returns empty if no executor can supply the block.
     */
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
            copy.abort(); // cancels the copy, unless it has succeeded
        }
    }

    /**
     * Replicates a cached block from the executor that {@code order} names to this executor. The result completes when
     * the block is cached here, or fails if that is not possible.
     */
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
