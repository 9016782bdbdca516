package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.PersistenceManager;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The persisted datasets and the checkpoints of one application. Removes the data of datasets that the application no
 * longer references, as {@link CleanerSettings} specify. Thread-safe; exists as long as its driver.
 * <p>Invariant: one lock covers both unpersisting a dataset and removing its cached blocks. So a dataset that is
 * persisted again at the same time loses none of its new blocks.
 */
public final class PersistedDatasetManager implements PersistenceManager {
    private static final Logger LOG = LoggerFactory.getLogger(PersistedDatasetManager.class);

    private final CleanerSettings settings;
    private final SharedVariables shared;
    private final DataPlane data;
    private final Executor threads;
    private final Supplier<Optional<ApplicationId>> application;
    private final IntConsumer forgetShuffle;
    private final IntConsumer dropRemote;
    private final IntConsumer pinRemote;
    private final BlockLocationRegistry blocks;
    private final Object persisting = new Object(); // lock held while a dataset is persisted or unpersisted
    private final AtomicInteger expectedCheckpoints = new AtomicInteger();
    private volatile Optional<String> checkpoints;

    /**
     * Creates a manager without persisted datasets. {@code threads} run clean-up work that may block.
     * {@code application} supplies the application's id, which names its checkpoint directory. For executors in other
     * processes, {@code dropRemote} removes the cached blocks of a dataset, and {@code pinRemote} prevents the eviction
     * of these blocks.
     */
    public PersistedDatasetManager(
            CleanerSettings settings,
            SharedVariables shared,
            DataPlane data,
            Executor threads,
            Supplier<Optional<ApplicationId>> application,
            IntConsumer forgetShuffle,
            IntConsumer dropRemote,
            IntConsumer pinRemote) {
        this.settings = settings;
        this.shared = shared;
        this.data = data;
        this.threads = threads;
        this.application = application;
        this.forgetShuffle = forgetShuffle;
        this.dropRemote = dropRemote;
        this.pinRemote = pinRemote;
        this.checkpoints = settings.checkpointDirectory();
        this.blocks = new BlockLocationRegistry(dataset -> threads.execute(() -> removeUnpersisted(dataset)));
        data.onBlocks(blocks);
    }

    /**
     * Has the map outputs of {@code shuffle} removed once the application no longer refers to {@code dataset}, if the
     * settings allow that.
     */
    public void watch(Object dataset, int shuffle) {
        if (settings.tracking()) {
            shared.shuffle(dataset, shuffle, forgetShuffle);
        }
    }

    public BlockLocationRegistry datasets() {
        return blocks;
    }

    /**
     * A snapshot of the persisted datasets, their cached blocks and the storage memory of each executor, for status
     * pages.
     */
    public StorageView view() {
        String executor = blocks.executor();
        Map<String, Long> memoryMax = blocks.memoryMax();
        if (!executor.isEmpty()) {
            memoryMax.put(executor, data.memory().total());
        }
        return new StorageView(blocks.views(), memoryMax);
    }

    /**
     * Records a change of a cached block on an executor in another process. Returns true if that executor did not cache
     * the block before.
     */
    public boolean changed(BlockChanged message, String host) {
        BlockId block = new BlockId(message.dataset(), message.partition());
        BlockStatus status = new BlockStatus(block, message.records(), message.memoryBytes(), message.diskBytes());
        return blocks.changed(message.executor().value(), host, message.memoryMax(), status);
    }

    @Override
    public List<String> places(int dataset, int partition) {
        return blocks.places(dataset, partition);
    }

    @Override
    public StorageLevel level(int dataset) {
        return blocks.level(dataset);
    }

    @Override
    public boolean areThere(int dataset, int[] partitions) {
        return blocks.areThere(dataset, partitions);
    }

    @Override
    public void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level) {
        boolean isNew;
        synchronized (persisting) {
            isNew = blocks.persist(dataset, name, partitions, level);
        }
        if (isNew && settings.tracking()) {
            shared.whenDropped(lineage, () -> removeIf(blocks::forget, dataset, settings.blocking()));
        }
    }

    @Override
    public void show(int dataset, String name) {
        blocks.rename(dataset, name);
    }

    @Override
    public void giveUp(int dataset, boolean blocking) {
        removeIf(blocks::unpersist, dataset, blocking);
    }

    private void removeUnpersisted(int dataset) {
        removeIf(id -> blocks.level(id) == StorageLevel.NONE, dataset, true); // else persisted again
    }

    /**
     * Removes all cached blocks of {@code dataset}, if the predicate {@code removable} accepts the dataset's id. Frees
     * memory and disk outside the lock, because that takes time: on the calling thread if {@code blocking} is set,
     * otherwise on another thread.
     */
    private void removeIf(IntPredicate removable, int dataset, boolean blocking) {
        List<Runnable> releasing = new ArrayList<>();
        synchronized (persisting) {
            if (removable.test(dataset)) {
                dropRemote.accept(dataset);
                data.removeKept(dataset, releasing::add);
            }
        }
        releasing.forEach(blocking ? Runnable::run : threads::execute);
    }

    @Override
    public void keepOnDisk(int dataset, StorageLevel level) {
        blocks.relevel(dataset, level);
        data.kept().relevel(dataset, level);
    }

    /** Sets the directory for all checkpoints that are written from now on. Fails if it is not a valid path. */
    public void checkpointDirectory(String directory) {
        if (directory.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("checkpointDirectory: '' (expected: a path, or a URI)");
        }
        checkpoints = Optional.of(data.stores().text(data.stores().name(directory)));
    }

    public Optional<String> checkpointDirectory() {
        return checkpoints;
    }

    @Override
    public void expectCheckpoint() {
        expectedCheckpoints.incrementAndGet();
    }

    /** Whether the user has requested any checkpoint that has not been written yet. */
    public boolean expectsCheckpoints() {
        return expectedCheckpoints.get() > 0;
    }

    @Override
    public String checkpointPath(int dataset) {
        String directory =
                checkpoints.orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("checkpoint of dataset " + dataset
                        + ": no checkpoint directory is set (expected: one); call HearthContext.checkpointDirectory"
                        + " before, or set hearth.checkpoint.dir"));
        String name = application.get().map(ApplicationId::value).orElse("application");
        return data.stores().text(data.stores().name(directory).child(name).child("rdd-" + dataset));
    }

    @Override
    public void checkpointed(Object lineage, String directory) {
        expectedCheckpoints.decrementAndGet();
        if (settings.tracking() && settings.cleansCheckpoints()) {
            shared.whenDropped(lineage, () -> threads.execute(() -> removeTree(FileName.parse(directory))));
        }
    }

    @Override
    public void checkpointedLocally(int dataset) {
        expectedCheckpoints.decrementAndGet();
        blocks.pin(dataset);
        data.kept().makeOnly(dataset);
        pinRemote.accept(dataset);
    }

    private void removeTree(FileName directory) {
        try {
            data.stores().of(directory).remove(directory, true);
        } catch (IOException | HearthException failure) { // its store may be closed, or gone
            LOG.warn("checkpoint {}: cannot be removed, {}; remove it by hand", directory, failure.toString());
        }
    }
}
