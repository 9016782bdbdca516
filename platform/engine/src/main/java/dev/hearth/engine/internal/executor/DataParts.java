package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalSegmentFiles;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.files.FileSettings;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.record.ApplicationRecords;
import dev.hearth.engine.internal.record.ClassNumbers;
import dev.hearth.engine.internal.record.NumberedClasses;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.serial.Unchangeable;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.shuffle.ShuffleInputs;
import dev.hearth.engine.internal.shuffle.ShuffleParts;
import dev.hearth.engine.internal.shuffle.ShuffleSettings;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.storage.BlockListener;
import dev.hearth.engine.internal.storage.KeptBlocks;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link DataPlane}, each made at its first use. Any thread may call; made and closed by the plane. */
final class DataParts implements ShuffleParts, AutoCloseable {
    private final Object lock = new Object(); // held while a part is made, which may ask for others
    private final UserObjects objects;
    private final FirstUse<MemoryBudget> memory;
    private final FirstUse<RecordFormat> records;
    private final FirstUse<SegmentFiles> files;
    private final FirstUse<ObjectSizes> sizes = new FirstUse<>(ObjectSizes::new);
    private final FirstUse<ShuffleStore> shuffles;
    private final FirstUse<ShuffleSettings> shuffling;
    private final FirstUse<FileSettings> input;
    private final FirstUse<KeptBlocks> kept;
    private final boolean served;
    private boolean closed; // guarded by the lock

    DataParts(
            UserObjects objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean served,
            @Nullable ClassNumbers classes,
            @Nullable Disk disk,
            BlockListener blocks) {
        this.objects = objects;
        this.served = served;
        this.memory = part(() -> process.get().open(MemorySettings.from(settings)));
        this.records = new FirstUse<>(
                () -> new ApplicationRecords(objects, classes == null ? new NumberedClasses() : classes));
        this.files = part(
                () -> LocalSegmentFiles.of(DiskSettings.from(settings), disk == null ? Disk.system() : disk, ticker));
        this.shuffling = new FirstUse<>(() -> ShuffleSettings.from(settings));
        this.input = new FirstUse<>(() -> FileSettings.from(settings));
        this.shuffles = part(() -> new ShuffleStore(this));
        this.kept = part(
                () -> new KeptBlocks(memory.get(), records.get(), files, objects.unchangeable(), sizes.get(), blocks));
    }

    private <T> FirstUse<T> part(Supplier<T> making) {
        return new FirstUse<>(lock, () -> {
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
    public SegmentFiles files() {
        return files.get();
    }

    FileSettings input() {
        return input.get();
    }

    @Override
    public ObjectSizes sizes() {
        return sizes.get();
    }

    @Override
    public Unchangeable unchangeable() {
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
    ShuffleInputs inputs() {
        return shuffles.get();
    }

    void removeShuffle(int shuffle) {
        shuffles.ifMade().ifPresent(store -> store.remove(shuffle));
    }

    KeptBlocks kept() {
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
        kept.ifMade().ifPresent(KeptBlocks::close);
        files.ifMade().ifPresent(SegmentFiles::close);
        memory.ifMade().ifPresent(MemoryBudget::close);
    }
}
