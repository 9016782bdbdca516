package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalSegmentFiles;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.files.FileSettings;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.engine.internal.record.ApplicationRecords;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.serial.Unchangeable;
import dev.hearth.engine.internal.serial.UserObjects;
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

/**
 * What one application's tasks in this process work with beside their code: memory, records as bytes, files, and what shuffles
 * hold. Every part is made at its first use, for many a program needs none of them, and then there until the application closes
 * this. Any thread may call.
 */
public final class DataPlane implements ShuffleParts, AutoCloseable {
    private final Object lock = new Object(); // held while a part is made, which may ask for others
    private final UserObjects objects;
    private final boolean inDriver;
    private final FirstUse<MemoryBudget> memory;
    private final FirstUse<RecordFormat> records;
    private final FirstUse<SegmentFiles> files;
    private final FirstUse<ObjectSizes> sizes = new FirstUse<>(ObjectSizes::new);
    private final FirstUse<ShuffleStore> shuffles;
    private final FirstUse<ShuffleSettings> shuffling;
    private final FirstUse<FileSettings> input;
    private final FirstUse<KeptBlocks> kept;
    private volatile BlockListener blocks = BlockListener.NOBODY;
    private boolean closed; // guarded by the lock

    /** {@code process} is what all applications of the process share. Shuffles are held in the driver's process alone. */
    public DataPlane(
            UserObjects objects, Settings settings, Supplier<ProcessMemory> process, Ticker ticker, boolean inDriver) {
        this.objects = objects;
        this.inDriver = inDriver;
        this.memory = part(() -> process.get().open(MemorySettings.from(settings)));
        this.records = new FirstUse<>(() -> new ApplicationRecords(objects));
        this.files = part(() -> LocalSegmentFiles.of(DiskSettings.from(settings), ticker));
        this.shuffling = new FirstUse<>(() -> ShuffleSettings.from(settings));
        this.input = new FirstUse<>(() -> FileSettings.from(settings));
        this.shuffles = part(() -> new ShuffleStore(this));
        this.kept = part(() -> new KeptBlocks(
                memory.get(),
                records.get(),
                files,
                objects.unchangeable(),
                sizes.get(),
                status -> blocks.changed(status)));
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

    /** How files of the program are read. */
    public FileSettings input() {
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

    /** What map tasks wrote; refused outside of the driver's process. */
    public ShuffleStore shuffles() {
        if (!inDriver) {
            throw StageMessages.noShuffle();
        }
        return shuffles.get();
    }

    /** As {@link #shuffles}, where anything was ever asked of them. */
    public void removeShuffle(int shuffle) {
        shuffles.ifMade().ifPresent(store -> store.remove(shuffle));
    }

    /** Has {@code listener} hear of kept blocks; to be called before there are any. */
    public void onBlocks(BlockListener listener) {
        blocks = listener;
    }

    /** The blocks of kept datasets. */
    public KeptBlocks kept() {
        return kept.get();
    }

    /** Lets what is kept of a dataset go, where anything was ever kept; {@code releasing} gives back what it took. */
    public void removeKept(int dataset, Executor releasing) {
        kept.ifMade().ifPresent(held -> held.remove(dataset, releasing));
    }

    /** Has attempts that wait for memory look whether they were told to end. */
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
