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
 * Kept blocks of other executors, as one executor reads and copies them: where the driver said last that they are, in bounds. A
 * block is here as a whole before any of it is given out, so that what cannot be read is computed. Any thread may call.
 */
public final class RemoteCachedBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCachedBlocks.class);
    private static final int PLACES_MAX = 65_536; // of blocks; those said longest ago go first

    /** How a block lies here that one reader has borrowed. */
    private static final StorageLevel BORROWED = StorageLevel.MEMORY_AND_DISK_SER;

    private final RemoteShuffleReader network;
    private final Supplier<BlockStore> kept;
    private final Executor work;
    private final Map<BlockId, List<BlockServerAddress>> places = new LinkedHashMap<>(); // guarded by itself

    /** {@code network} says how others are reached; {@code work} runs what may touch a disk. */
    public RemoteCachedBlocks(RemoteShuffleReader network, Supplier<BlockStore> kept, Executor work) {
        this.network = network;
        this.kept = kept;
        this.work = work;
    }

    /** The driver says where blocks are. */
    public void define(UpdateCachedBlocks message) {
        synchronized (places) {
            for (CachedBlock place : message.places()) {
                BlockId id = new BlockId(place.dataset(), place.partition());
                places.remove(id); // so that it is the last one
                places.put(id, place.holders());
            }
            while (places.size() > PLACES_MAX) {
                places.remove(places.keySet().iterator().next());
            }
        }
    }

    /** Nobody keeps the dataset any more. */
    public void forget(int dataset) {
        synchronized (places) {
            places.keySet().removeIf(id -> id.dataset() == dataset);
        }
    }

    /** The elements of a block that others keep, if one of them still gives it; the task waits for it. */
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
        CachedBlockFetch copy = copy(id, BORROWED, holder, !network.isSent(holder));
        try {
            BlockWriter whole = task.await(copy.start(), id + " at executor " + holder.executor());
            return Optional.of(kept.get().lend(whole, check));
        } catch (HearthException failure) {
            if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
                throw failure;
            }
            LOG.info("{}: cannot be read from executor {}: {}", id, holder.executor(), Failures.describe(failure));
            return Optional.empty();
        } finally {
            copy.abort(); // nothing, once it is here
        }
    }

    /** Keeps a block that another executor keeps; completes once it is kept here, and fails when it is not. */
    public CompletionStage<Void> keep(ReplicateBlock order) {
        BlockId id = new BlockId(order.dataset(), order.partition());
        CompletableFuture<BlockWriter> copied =
                copy(id, order.level(), order.from(), false).start();
        CompletionStage<BlockWriter> coming = copied;
        return coming.thenAccept(BlockWriter::publish);
    }

    private CachedBlockFetch copy(BlockId id, StorageLevel level, BlockServerAddress holder, boolean inPlace) {
        return new CachedBlockFetch(
                network.holders(), holder, id, work, () -> kept.get().receive(id, level), network.files(), inPlace);
    }
}
