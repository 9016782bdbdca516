package dev.hearth.engine.internal.driver.serving;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.engine.internal.executor.BroadcastValues;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * The broadcast values and accumulators of one application, by number. Weak references detect when a broadcast or
 * accumulator is unreachable for the application, or a dataset with a shuffle or cached blocks. {@link #dropUnused}
 * then removes the data that belongs to the unreachable object. Thread-safe.
 */
public final class SharedVariables implements BroadcastValues {
    private final LongConsumer broadcastRemoved;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Object> broadcasts = new ConcurrentHashMap<>();
    private final Map<Long, Handle> accumulators = new ConcurrentHashMap<>();
    private final Map<Handle, Runnable> cleanups =
            new ConcurrentHashMap<>(); // the keys keep the weak references themselves reachable
    private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();

    /**
     * Weak reference to one tracked object: a broadcast, an accumulator or a dataset. The JVM enqueues the reference
     * once the application no longer refers to that object.
     */
    private static final class Handle extends WeakReference<Object> {
        Handle(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    /**
     * Creates the variables of one application, at first none. {@code broadcastRemoved} receives the number of each
     * broadcast whose value is removed, because it was destroyed or is unreachable.
     */
    public SharedVariables(LongConsumer broadcastRemoved) {
        this.broadcastRemoved = broadcastRemoved;
    }

    public <T> Broadcast<T> broadcast(T value) {
        if (!(value instanceof Serializable)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("value to broadcast: is a "
                    + value.getClass().getName()
                    + " (expected: a java.io.Serializable object, because it is sent to executors); make its class"
                    + " Serializable");
        }
        long id = ids.getAndIncrement();
        broadcasts.put(id, value);
        Broadcast<T> handle = new Broadcast<>(id, new DriverSource<>(id));
        onDrop(handle, () -> removeBroadcast(id));
        return handle;
    }

    /**
     * Removes the driver's value of a broadcast and passes the broadcast's number to {@code broadcastRemoved}. Returns
     * false, and passes nothing, if the broadcast was already removed.
     */
    private boolean removeBroadcast(long id) {
        boolean present = broadcasts.remove(id) != null;
        if (present) {
            broadcastRemoved.accept(id);
        }
        return present;
    }

    /** The driver's value of the broadcast with the number {@code id}. Fails once the broadcast is destroyed. */
    Object broadcast(long id) {
        Object value = broadcasts.get(id);
        if (value == null) {
            throw ErrorCode.CONTEXT_CLOSED
                    .failure("broadcast " + id
                            + ": was destroyed (expected: read before that); destroy it after the last job"
                            + " that reads it")
                    .permanent();
        }
        return value;
    }

    @Override
    public Object value(long id, ShuffleReadContext task) {
        return broadcast(id);
    }

    public <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind) {
        long id = ids.getAndIncrement();
        Accumulator<T, R> handle = Accumulator.of(id, name, kind);
        accumulators.put(id, onDrop(handle, () -> accumulators.remove(id)));
        return handle;
    }

    /**
     * The accumulator in the driver that has the number {@code id}. Empty once the application no longer refers to it.
     */
    public Optional<Accumulator<?, ?>> accumulator(long id) {
        Handle handle = accumulators.get(id);
        return handle == null ? Optional.empty() : Optional.ofNullable((Accumulator<?, ?>) handle.get());
    }

    /**
     * Registers the shuffle {@code shuffle}, which {@code dataset} owns. Once the application no longer refers to this
     * dataset, {@link #dropUnused} passes the shuffle's id to {@code remove}, which removes the map outputs.
     */
    public void shuffle(Object dataset, int shuffle, IntConsumer remove) {
        onDrop(dataset, () -> remove.accept(shuffle));
    }

    /**
     * Registers {@code cleanup}, which {@link #dropUnused} runs once the application no longer refers to {@code
     * dataset}.
     */
    public void whenDropped(Object dataset, Runnable cleanup) {
        onDrop(dataset, cleanup);
    }

    /**
     * Removes the broadcasts, accumulators, shuffles and cached blocks whose objects the application no longer refers
     * to. Runs on the calling thread.
     */
    public void dropUnused() {
        for (Reference<?> reference = dropped.poll(); reference != null; reference = dropped.poll()) {
            Runnable cleanup = cleanups.remove((Handle) reference);
            if (cleanup != null) {
                cleanup.run();
            }
        }
    }

    /** Whether any broadcast, accumulator or dataset is tracked whose data has not been removed yet. */
    public boolean isTracking() {
        return !cleanups.isEmpty();
    }

    public void clear() {
        broadcasts.clear();
        accumulators.clear();
        cleanups.clear();
    }

    private Handle onDrop(Object referent, Runnable cleanup) {
        dropUnused();
        Handle handle = new Handle(referent, dropped);
        cleanups.put(handle, cleanup);
        return handle;
    }

    /**
     * Provides the value of one broadcast in the driver. Refers to the broadcast by number only, so that the broadcast
     * itself can be garbage-collected.
     */
    private final class DriverSource<T> implements Broadcast.Source<T> {
        private final long id;

        DriverSource(long id) {
            this.id = id;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T value() {
            return (T) broadcast(id);
        }

        @Override
        public void destroy() {
            if (removeBroadcast(id)) {
                dropUnused();
            }
        }
    }
}
