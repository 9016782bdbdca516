package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.io.InputAccess;
import dev.hearth.engine.internal.io.OpenStores;
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
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.time.Ticker;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory, serializer, files, cached blocks and map outputs of one application in this process. Each component is
 * created, and its class loaded, on first use, because many programs need none of them. Lives until the application
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
    private final ApplicationStores stores;
    private final Optional<ServedOutputs> outputs;
    private volatile @Nullable BlockListener blocks;
    private volatile @Nullable DataPlaneComponents components; // assigned only under the lock of this object
    private boolean closed; // guarded by the lock of this object

    /**
     * {@code process} supplies the memory that all applications of this process share. {@code inDriver} says that this
     * is the driver's process, whose map outputs are read by no other process.
     */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver) {
        this(objects, settings, process, ticker, inDriver, null, null, OpenStores.local());
    }

    /**
     * {@code classes} are the class numbers shared with the other processes of the application, or null to number the
     * classes of this process separately. {@code disk}, if not null, replaces the machine's disk. The caller closes the
     * {@code stores}.
     */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver,
            @Nullable ClassIds classes,
            @Nullable Disk disk,
            ApplicationStores stores) {
        this(objects, settings, process, ticker, inDriver, classes, disk, stores, Optional.empty());
    }

    /** As above; with {@code outputs}, a shuffle service takes over the map outputs of this process. */
    public DataPlane(
            UserObjectSerializer objects,
            Settings settings,
            Supplier<ProcessMemory> process,
            Ticker ticker,
            boolean inDriver,
            @Nullable ClassIds classes,
            @Nullable Disk disk,
            ApplicationStores stores,
            Optional<ServedOutputs> outputs) {
        this.outputs = outputs;
        this.objects = objects;
        this.settings = settings;
        this.process = process;
        this.ticker = ticker;
        this.inDriver = inDriver;
        this.classes = classes;
        this.disk = disk;
        this.stores = stores;
    }

    private DataPlaneComponents parts() {
        DataPlaneComponents known = components;
        return known == null ? make() : known;
    }

    private synchronized DataPlaneComponents make() {
        DataPlaneComponents known = components;
        if (known == null) {
            known = new DataPlaneComponents(
                    objects, settings, process, ticker, !inDriver, classes, disk, stores, outputs, this::changed);
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

    /** Returns the settings and stores with which tasks read input files, such as those of {@code textFile}. */
    public InputAccess input() {
        return parts().input();
    }

    /** Returns the stores of the files that tasks of this process read and write. */
    public ApplicationStores stores() {
        return stores;
    }

    public ObjectSizeEstimator sizes() {
        return parts().sizes();
    }

    /** Returns the store of the map outputs in this process. */
    public ShuffleStore shuffles() {
        return parts().shuffles();
    }

    /** Returns a reader of the map outputs that this process has stored; it fetches nothing from other executors. */
    ShuffleReader inputs() {
        return parts().inputs();
    }

    /** Removes the map outputs of a shuffle. Does not create the store if it does not exist yet. */
    public void removeShuffle(int shuffle) {
        DataPlaneComponents known = components;
        if (known != null) {
            known.removeShuffle(shuffle);
        }
    }

    /**
     * Sets the listener that is notified when the cached blocks of this process change. Call it before the first task
     * runs.
     */
    public void onBlocks(BlockListener listener) {
        blocks = listener;
    }

    /** Returns the store of the cached blocks in this process. */
    public BlockStore kept() {
        return parts().kept();
    }

    /**
     * Removes the cached blocks of a dataset, so that no task finds them any more. The executor {@code releasing} then
     * frees their memory and files. Does nothing if this process has no store of cached blocks yet.
     */
    public void removeKept(int dataset, Executor releasing) {
        DataPlaneComponents known = components;
        if (known != null) {
            known.removeKept(dataset, releasing);
        }
    }

    /** Wakes task attempts that wait for memory, so that killed attempts notice their kill and end. */
    void wake() {
        DataPlaneComponents known = components;
        if (known != null) {
            known.wake();
        }
    }

    /** Closes all components that exist. Later calls that would create a component fail. */
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
