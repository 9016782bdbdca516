package dev.hearth.engine.internal.driver;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.PersistenceManager;
import dev.hearth.engine.internal.disk.DirectoryTrees;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.monitor.StorageView;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
 * What one application keeps: which datasets, and the checkpoints that were asked for. Any thread may call; it lives as long as
 * its driver. What the program has dropped goes as {@link CleanerSettings} say. Invariant: what is kept of a dataset is removed
 * together with its being wanted, under one lock, so that nothing goes of a dataset that is wanted again.
 */
final class PersistedDatasetManager implements PersistenceManager {
    private static final Logger LOG = LoggerFactory.getLogger(PersistedDatasetManager.class);

    private final CleanerSettings settings;
    private final SharedVariables shared;
    private final DataPlane data;
    private final Executor later;
    private final Supplier<Optional<ApplicationId>> application;
    private final IntConsumer forgetShuffle;
    private final IntConsumer dropElsewhere;
    private final IntConsumer makeOnlyElsewhere;
    private final BlockLocationRegistry kept;
    private final Object wanting = new Object(); // held while a dataset becomes wanted, or goes with what is kept of it
    private final AtomicInteger expected = new AtomicInteger(); // checkpoints
    private volatile Optional<String> checkpoints;

    /** {@code later} runs what may take a while, {@code application} gives the id that names the directory of its checkpoints. */
    PersistedDatasetManager(
            CleanerSettings settings,
            SharedVariables shared,
            DataPlane data,
            Executor later,
            Supplier<Optional<ApplicationId>> application,
            IntConsumer forgetShuffle,
            IntConsumer dropElsewhere,
            IntConsumer makeOnlyElsewhere) {
        this.settings = settings;
        this.shared = shared;
        this.data = data;
        this.later = later;
        this.application = application;
        this.forgetShuffle = forgetShuffle;
        this.dropElsewhere = dropElsewhere;
        this.makeOnlyElsewhere = makeOnlyElsewhere;
        this.checkpoints = settings.checkpointDirectory();
        this.kept = new BlockLocationRegistry(dataset -> later.execute(() -> removeUnwanted(dataset)));
        data.onBlocks(kept);
    }

    /** Lets what a shuffle wrote go once nothing can read {@code dataset} any more. */
    void watch(Object dataset, int shuffle) {
        if (settings.tracking()) {
            shared.shuffle(dataset, shuffle, forgetShuffle);
        }
    }

    BlockLocationRegistry datasets() {
        return kept;
    }

    /** What is kept, for those who show it. */
    StorageView view() {
        String executor = kept.executor();
        Map<String, Long> most = kept.memoryMax();
        if (!executor.isEmpty()) {
            most.put(executor, data.memory().total());
        }
        return new StorageView(kept.views(), most);
    }

    /** A block of an executor in another process has changed; tells whether it was not kept there before. */
    boolean changed(BlockChanged message, String host) {
        BlockId block = new BlockId(message.dataset(), message.partition());
        BlockStatus status = new BlockStatus(block, message.records(), message.memoryBytes(), message.diskBytes());
        return kept.changed(message.executor().value(), host, message.memoryMax(), status);
    }

    @Override
    public List<String> places(int dataset, int partition) {
        return kept.places(dataset, partition);
    }

    @Override
    public StorageLevel level(int dataset) {
        return kept.level(dataset);
    }

    @Override
    public boolean areThere(int dataset, int[] partitions) {
        return kept.areThere(dataset, partitions);
    }

    @Override
    public void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level) {
        boolean begun;
        synchronized (wanting) {
            begun = kept.keep(dataset, name, partitions, level);
        }
        if (begun && settings.tracking()) {
            shared.whenDropped(lineage, () -> removeIf(kept::forget, dataset, settings.blocking()));
        }
    }

    @Override
    public void show(int dataset, String name) {
        kept.rename(dataset, name);
    }

    @Override
    public void giveUp(int dataset, boolean blocking) {
        removeIf(kept::giveUp, dataset, blocking);
    }

    private void removeUnwanted(int dataset) {
        removeIf(id -> kept.level(id) == StorageLevel.NONE, dataset, true); // else it is wanted again by now
    }

    /** Lets a dataset go if that is so; what it took is given back behind the lock, for that may take a while. */
    private void removeIf(IntPredicate isToGo, int dataset, boolean blocking) {
        List<Runnable> releasing = new ArrayList<>();
        synchronized (wanting) {
            if (isToGo.test(dataset)) {
                dropElsewhere.accept(dataset);
                data.removeKept(dataset, releasing::add);
            }
        }
        releasing.forEach(blocking ? Runnable::run : later::execute);
    }

    @Override
    public void keepOnDisk(int dataset, StorageLevel level) {
        kept.relevel(dataset, level);
        data.kept().relevel(dataset, level);
    }

    /** Where checkpoints lie from now on. */
    void checkpointDirectory(String directory) {
        try {
            checkpoints = Optional.of(Path.of(directory).toAbsolutePath().toString());
        } catch (InvalidPathException bad) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "checkpointDirectory: '" + directory + "' (expected: a path of this system)", bad);
        }
    }

    Optional<String> checkpointDirectory() {
        return checkpoints;
    }

    @Override
    public void expectCheckpoint() {
        expected.incrementAndGet();
    }

    /** Whether checkpoints may be due. */
    boolean expectsCheckpoints() {
        return expected.get() > 0;
    }

    @Override
    public String checkpointPath(int dataset) {
        String directory =
                checkpoints.orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("checkpoint of dataset " + dataset
                        + ": there is no directory for it (expected: one); call HearthContext.checkpointDirectory before, or set"
                        + " hearth.checkpoint.dir"));
        String name = application.get().map(ApplicationId::value).orElse("application");
        return Path.of(directory, name, "rdd-" + dataset).toString();
    }

    @Override
    public void checkpointed(Object lineage, String directory) {
        expected.decrementAndGet();
        if (settings.tracking() && settings.cleansCheckpoints()) {
            shared.whenDropped(lineage, () -> later.execute(() -> removeTree(Path.of(directory))));
        }
    }

    @Override
    public void checkpointedLocally(int dataset) {
        expected.decrementAndGet();
        kept.makeOnly(dataset);
        data.kept().makeOnly(dataset);
        makeOnlyElsewhere.accept(dataset);
    }

    private static void removeTree(Path directory) {
        try {
            DirectoryTrees.delete(directory);
        } catch (IOException failure) {
            LOG.warn("checkpoint {}: cannot be removed, {}; remove it by hand", directory, failure.toString());
        }
    }
}
