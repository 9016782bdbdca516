package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.ClassIdTable;
import dev.hearth.engine.internal.serializer.ClassIds;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.shuffle.ShuffleReader;
import dev.hearth.engine.internal.shuffle.ShuffleServices;
import dev.hearth.engine.internal.shuffle.ShuffleSettings;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.storage.BlockListener;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link DataPlane}, each made at its first use. Any thread may call; made and closed by the plane. */
final class DataPlaneComponents implements ShuffleServices, AutoCloseable {
    private final Object lock = new Object(); // held while a part is made, which may ask for others
    private final UserObjectSerializer objects;
    private final Lazy<MemoryBudget> memory;
    private final Lazy<RecordFormat> records;
    private final Lazy<TemporaryFiles> files;
    private final Lazy<ObjectSizeEstimator> sizes = new Lazy<>(ObjectSizeEstimator::new);
    private final Lazy<ShuffleStore> shuffles;
    private final Lazy<ShuffleSettings> shuffling;
    private final Lazy<FileSettings> input;
    private final Lazy<BlockStore> kept;
    private final boolean served;
    private boolean closed; // guarded by the lock

    DataPlaneComponents(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean served,
            @Nullable ClassIds classes,
            @Nullable Disk disk,
            BlockListener blocks) {
        this.objects = objects;
        this.served = served;
        this.memory = part(() -> process.get().open(MemorySettings.from(settings)));
        this.records =
                new Lazy<>(() -> new ApplicationRecordFormat(objects, classes == null ? new ClassIdTable() : classes));
        this.files = part(
                () -> LocalTemporaryFiles.of(DiskSettings.from(settings), disk == null ? Disk.system() : disk, ticker));
        this.shuffling = new Lazy<>(() -> ShuffleSettings.from(settings));
        this.input = new Lazy<>(() -> FileSettings.from(settings));
        this.shuffles = part(() -> new ShuffleStore(this));
        this.kept = part(
                () -> new BlockStore(memory.get(), records.get(), files, objects.unchangeable(), sizes.get(), blocks));
    }

    private <T> Lazy<T> part(Supplier<T> making) {
        return new Lazy<>(lock, () -> {
            if (closed) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        "memory and files of tasks: asked for after their application had ended (expected: before)");
            }
            return making.get();
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

    FileSettings input() {
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

    ShuffleStore shuffles() {
        return shuffles.get();
    }

    /** The store, as those see it who read alone: whoever only counts does not load it. */
    ShuffleReader inputs() {
        return shuffles.get();
    }

    void removeShuffle(int shuffle) {
        shuffles.ifMade().ifPresent(store -> store.remove(shuffle));
    }

    BlockStore kept() {
        return kept.get();
    }

    void removeKept(int dataset, Executor releasing) {
        kept.ifMade().ifPresent(held -> held.remove(dataset, releasing));
    }

    void wake() {
        memory.ifMade().ifPresent(MemoryBudget::wake);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true; // behind this nothing is made
        }
        shuffles.ifMade().ifPresent(ShuffleStore::clear);
        kept.ifMade().ifPresent(BlockStore::close);
        files.ifMade().ifPresent(TemporaryFiles::close);
        memory.ifMade().ifPresent(MemoryBudget::close);
    }
}
