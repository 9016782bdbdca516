package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CopyKept;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineKept;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.KeptPlace;
import dev.hearth.engine.internal.shuffle.ReadingTask;
import dev.hearth.engine.internal.storage.BlockDraft;
import dev.hearth.engine.internal.storage.BlockElements;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.KeptBlocks;
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
public final class RemoteKept {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteKept.class);
    private static final int PLACES_MAX = 65_536; // of blocks; those said longest ago go first

    /** How a block lies here that one reader has borrowed. */
    private static final StorageLevel BORROWED = StorageLevel.MEMORY_AND_DISK_SER;

    private final RemoteShuffles network;
    private final Supplier<KeptBlocks> kept;
    private final Executor work;
    private final Map<BlockId, List<Holder>> places = new LinkedHashMap<>(); // guarded by itself

    /** {@code network} says how others are reached; {@code work} runs what may touch a disk. */
    public RemoteKept(RemoteShuffles network, Supplier<KeptBlocks> kept, Executor work) {
        this.network = network;
        this.kept = kept;
        this.work = work;
    }

    /** The driver says where blocks are. */
    public void define(DefineKept message) {
        synchronized (places) {
            for (KeptPlace place : message.places()) {
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
    public Optional<BlockElements> read(BlockId id, ReadingTask task, Runnable check) {
        List<Holder> holders;
        synchronized (places) {
            holders = places.getOrDefault(id, List.of());
        }
        for (Holder holder : holders) {
            Optional<BlockElements> found =
                    network.isSelf(holder.executor()) ? Optional.empty() : read(id, holder, task, check);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<BlockElements> read(BlockId id, Holder holder, ReadingTask task, Runnable check) {
        KeptCopy copy = copy(id, BORROWED, holder, !network.isSent(holder));
        try {
            BlockDraft whole = task.await(copy.start(), id + " at executor " + holder.executor());
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
    public CompletionStage<Void> keep(CopyKept order) {
        BlockId id = new BlockId(order.dataset(), order.partition());
        CompletableFuture<BlockDraft> copied =
                copy(id, order.level(), order.from(), false).start();
        CompletionStage<BlockDraft> coming = copied;
        return coming.thenAccept(BlockDraft::publish);
    }

    private KeptCopy copy(BlockId id, StorageLevel level, Holder holder, boolean inPlace) {
        return new KeptCopy(
                network.holders(), holder, id, work, () -> kept.get().receive(id, level), network.files(), inPlace);
    }
}
