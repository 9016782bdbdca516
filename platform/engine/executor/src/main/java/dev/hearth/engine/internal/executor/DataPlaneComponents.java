package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.io.InputAccess;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.ClassIdTable;
import dev.hearth.engine.internal.serializer.ClassIds;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.shuffle.MapOutputAdopter;
import dev.hearth.engine.internal.shuffle.ShuffleReader;
import dev.hearth.engine.internal.shuffle.ShuffleServices;
import dev.hearth.engine.internal.shuffle.ShuffleSettings;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.storage.BlockListener;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.time.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Components of a {@link DataPlane}, each created on first use. The data plane creates and closes this object. Any
 * thread may call.
 */
final class DataPlaneComponents implements ShuffleServices, AutoCloseable {
    private final Object lock = new Object(); // lock held while a component and its dependencies are created
    private final UserObjectSerializer objects;
    private final Lazy<MemoryBudget> memory;
    private final Lazy<RecordFormat> records;
    private final Lazy<TemporaryFiles> files;
    private final Lazy<ObjectSizeEstimator> sizes = new Lazy<>(ObjectSizeEstimator::new);
    private final Lazy<ShuffleStore> shuffles;
    private final Lazy<ShuffleSettings> shuffling;
    private final Lazy<InputAccess> input;
    private final Lazy<BlockStore> kept;
    private final boolean served;
    private final Optional<ServedOutputs> outputs;
    private boolean closed; // guarded by the lock

    DataPlaneComponents(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean served,
            @Nullable ClassIds classes,
            @Nullable Disk disk,
            ApplicationStores stores,
            Optional<ServedOutputs> outputs,
            BlockListener blocks) {
        this.outputs = outputs;
        this.objects = objects;
        this.served = served;
        this.memory = component(() -> process.get().open(MemorySettings.from(settings)));
        this.records =
                new Lazy<>(() -> new ApplicationRecordFormat(objects, classes == null ? new ClassIdTable() : classes));
        this.files = component(() -> LocalTemporaryFiles.of(
                DiskSettings.from(settings),
                outputs.map(ServedOutputs::files).orElse(List.of()),
                disk == null ? Disk.system() : disk,
                ticker));
        this.shuffling = new Lazy<>(() -> ShuffleSettings.from(settings));
        this.input = new Lazy<>(() -> new InputAccess(FileSettings.from(settings), stores));
        this.shuffles = component(() -> new ShuffleStore(this));
        this.kept = component(
                () -> new BlockStore(memory.get(), records.get(), files, objects.unchangeable(), sizes.get(), blocks));
    }

    private <T> Lazy<T> component(Supplier<T> factory) {
        return new Lazy<>(lock, () -> {
            if (closed) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        "memory and files of tasks: used after their application had ended (expected: before)");
            }
            return factory.get();
        });
    }

    @Override
    public MemoryBudget memory() {
        return memory.get();
    }

    @Override
    public RecordFormat records() {
        return records.get();
    }

    @Override
    public TemporaryFiles files() {
        return files.get();
    }

    InputAccess input() {
        return input.get();
    }

    @Override
    public ObjectSizeEstimator sizes() {
        return sizes.get();
    }

    @Override
    public ImmutabilityCheck unchangeable() {
        return objects.unchangeable();
    }

    @Override
    public ShuffleSettings settings() {
        return shuffling.get();
    }

    @Override
    public boolean isServed() {
        return served;
    }

    @Override
    public Optional<MapOutputAdopter> adopter() {
        return outputs.map(ServedOutputs::adopter);
    }

    ShuffleStore shuffles() {
        return shuffles.get();
    }

    /**
     * Returns the shuffle store as an interface that only reads, so that callers do not load the class of the store.
     */
    ShuffleReader inputs() {
        return shuffles.get();
    }

    void removeShuffle(int shuffle) {
        shuffles.ifCreated().ifPresent(store -> store.remove(shuffle));
    }

    BlockStore kept() {
        return kept.get();
    }

    void removeKept(int dataset, Executor releasing) {
        kept.ifCreated().ifPresent(held -> held.remove(dataset, releasing));
    }

    void wake() {
        memory.ifCreated().ifPresent(MemoryBudget::wake);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true; // set before the components are closed, so that no further component is created
        }
        shuffles.ifCreated().ifPresent(ShuffleStore::clear);
        kept.ifCreated().ifPresent(BlockStore::close);
        files.ifCreated().ifPresent(TemporaryFiles::close);
        memory.ifCreated().ifPresent(MemoryBudget::close);
    }
}
