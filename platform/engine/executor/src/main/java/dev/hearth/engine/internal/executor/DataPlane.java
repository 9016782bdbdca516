package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.TemporaryFiles;
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
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory, serializer, files, cached blocks and map outputs of one application in this process. Components are created
 * lazily, and their classes loaded with the first of them, because many programs need none. Lives until the application
 * closes it. Any thread may call.
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
    private volatile @Nullable DataPlaneComponents components; // written under the lock of this object
    private boolean closed; // guarded by the lock of this object

    /**
     * {@code process} is the memory that all applications of the process share. For an executor process, whose map
     * outputs other executors read.
     */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver) {
        this(objects, settings, process, ticker, inDriver, null, null);
    }

    /**
     * {@code classes} are the class numbers shared with the other processes of the application; null if there are none.
     * {@code disk} replaces the machine's disk, if not null.
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
        DataPlaneComponents known = components;
        return known == null ? make() : known;
    }

    private synchronized DataPlaneComponents make() {
        DataPlaneComponents known = components;
        if (known == null) {
            known = new DataPlaneComponents(
                    objects, settings, process, ticker, !inDriver, classes, disk, this::changed);
            if (closed) {
                known.close();
            }
            components = known;
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

    /** Settings for reading input files. */
    public FileSettings input() {
        return parts().input();
    }

    public ObjectSizeEstimator sizes() {
        return parts().sizes();
    }

    /** Map outputs of this process. */
    public ShuffleStore shuffles() {
        return parts().shuffles();
    }

    /** Reader of the map outputs in this process only. */
    ShuffleReader inputs() {
        return parts().inputs();
    }

    /** Removes the map outputs of a shuffle, without creating the store for it. */
    public void removeShuffle(int shuffle) {
        DataPlaneComponents known = components;
        if (known != null) {
            known.removeShuffle(shuffle);
        }
    }

    /** Sets the listener to changes of cached blocks. Call it before the first task. */
    public void onBlocks(BlockListener listener) {
        blocks = listener;
    }

    /** Cached blocks of this process. */
    public BlockStore kept() {
        return parts().kept();
    }

    /**
     * Removes the cached blocks of a dataset, without creating the store for it. {@code releasing} frees their memory
     * and files.
     */
    public void removeKept(int dataset, Executor releasing) {
        DataPlaneComponents known = components;
        if (known != null) {
            known.removeKept(dataset, releasing);
        }
    }

    /** Wakes attempts that wait for memory, so that killed attempts notice their kill and end. */
    void wake() {
        DataPlaneComponents known = components;
        if (known != null) {
            known.wake();
        }
    }

    /** Closes the components. Later uses that would create one fail. */
    @Override
    public void close() {
        DataPlaneComponents known;
        synchronized (this) {
            closed = true;
            known = components;
        }
        if (known != null) {
            known.close();
        }
    }
}
