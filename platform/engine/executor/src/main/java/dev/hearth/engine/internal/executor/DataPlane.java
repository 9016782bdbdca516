package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.serializer.ClassIds;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.shuffle.ShuffleReader;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.storage.BlockListener;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one application's tasks in this process work with beside their code: memory, records as bytes, files, and what shuffles
 * hold. Every part is made at its first use, and their classes are loaded with the first of them, for many a program needs none;
 * they are there until the application closes this. Any thread may call.
 */
public final class DataPlane implements AutoCloseable {
    private final UserObjectSerializer objects;
    private final Settings settings;
    private final Supplier<ProcessMemory> process;
    private final Ticker ticker;
    private final boolean inDriver;
    private final @Nullable ClassIds classes;
    private final @Nullable Disk disk;
    private volatile @Nullable BlockListener blocks;
    private volatile @Nullable ShuffleReader inputs; // none where the store has all
    private volatile @Nullable RemoteCachedBlocks elsewhere; // none where nobody else keeps anything
    private volatile @Nullable DataPlaneComponents made; // written under the lock of this object
    private boolean closed; // guarded by this

    /** {@code process} is what all applications of the process share. Outside of the driver's, others read its shuffles. */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver) {
        this(objects, settings, process, ticker, inDriver, null, null);
    }

    /**
     * As the other; {@code classes} are the numbers that all processes of the application name classes by, if there are others;
     * {@code disk} is where its files lie, if not on the machine's own.
     */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver,
            @Nullable ClassIds classes,
            @Nullable Disk disk) {
        this.objects = objects;
        this.settings = settings;
        this.process = process;
        this.ticker = ticker;
        this.inDriver = inDriver;
        this.classes = classes;
        this.disk = disk;
    }

    private DataPlaneComponents parts() {
        DataPlaneComponents known = made;
        return known == null ? make() : known;
    }

    private synchronized DataPlaneComponents make() {
        DataPlaneComponents known = made;
        if (known == null) {
            known = new DataPlaneComponents(
                    objects, settings, process, ticker, !inDriver, classes, disk, this::changed);
            if (closed) {
                known.close();
            }
            made = known;
        }
        return known;
    }

    private void changed(BlockStatus status) {
        BlockListener listener = blocks;
        if (listener != null) {
            listener.changed(status);
        }
    }

    public MemoryBudget memory() {
        return parts().memory();
    }

    public RecordFormat records() {
        return parts().records();
    }

    public TemporaryFiles files() {
        return parts().files();
    }

    /** How files of the program are read. */
    public FileSettings input() {
        return parts().input();
    }

    public ObjectSizeEstimator sizes() {
        return parts().sizes();
    }

    /** What map tasks of this process wrote. */
    public ShuffleStore shuffles() {
        return parts().shuffles();
    }

    /** Where tasks of this process read shuffles from: from what was written in it, unless others write too. */
    public ShuffleReader inputs() {
        ShuffleReader others = inputs;
        return others == null ? parts().inputs() : others;
    }

    /** Has tasks read shuffles from {@code others}; to be called before there are any. */
    public void readFrom(ShuffleReader others) {
        inputs = others;
    }

    /** Has tasks look for kept blocks at {@code others}; to be called before there are any. */
    public void readFrom(RemoteCachedBlocks others) {
        elsewhere = others;
    }

    /** Kept blocks of other executors, where there are any. */
    Optional<RemoteCachedBlocks> elsewhere() {
        return Optional.ofNullable(elsewhere);
    }

    /** As {@link #shuffles}, where anything was ever asked of them. */
    public void removeShuffle(int shuffle) {
        DataPlaneComponents known = made;
        if (known != null) {
            known.removeShuffle(shuffle);
        }
    }

    /** Has {@code listener} hear of kept blocks; to be called before there are any. */
    public void onBlocks(BlockListener listener) {
        blocks = listener;
    }

    /** The blocks of kept datasets. */
    public BlockStore kept() {
        return parts().kept();
    }

    /** Lets what is kept of a dataset go, where anything was ever kept; {@code releasing} gives back what it took. */
    public void removeKept(int dataset, Executor releasing) {
        DataPlaneComponents known = made;
        if (known != null) {
            known.removeKept(dataset, releasing);
        }
    }

    /** Has attempts that wait for memory look whether they were told to end. */
    void wake() {
        DataPlaneComponents known = made;
        if (known != null) {
            known.wake();
        }
    }

    /** Gives up what there is; parts that were not made by now are refused where they would hold anything. */
    @Override
    public void close() {
        DataPlaneComponents known;
        synchronized (this) {
            closed = true;
            known = made;
        }
        if (known != null) {
            known.close();
        }
    }
}
