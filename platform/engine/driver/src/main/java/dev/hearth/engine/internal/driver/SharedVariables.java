package dev.hearth.engine.internal.driver;

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
 * What one application's tasks share by number: broadcast values, accumulators, and shuffles as far as anybody can still read
 * them. Any thread may call. What the application has dropped goes with the next call of {@link #dropUnused}.
 */
final class SharedVariables implements BroadcastValues {
    private final LongConsumer forgetting; // told each broadcast that is gone
    private final AtomicLong made = new AtomicLong();
    private final Map<Long, Object> broadcasts = new ConcurrentHashMap<>();
    private final Map<Long, Handle> accumulators = new ConcurrentHashMap<>();
    private final Map<Handle, Runnable> atEnd = new ConcurrentHashMap<>(); // keeps the references, too
    private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();

    /** A reference to something of the user's that tells when the user has dropped it. */
    private static final class Handle extends WeakReference<Object> {
        Handle(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    SharedVariables(LongConsumer forgetting) {
        this.forgetting = forgetting;
    }

    <T> Broadcast<T> broadcast(T value) {
        if (!(value instanceof Serializable)) {
            throw ErrorCode.NOT_SERIALIZABLE.failure("value to broadcast: is a "
                    + value.getClass().getName()
                    + " (expected: java.io.Serializable, for it travels to executors); make it Serializable");
        }
        long id = made.getAndIncrement();
        broadcasts.put(id, value);
        Broadcast<T> handle = new Broadcast<>(id, new Held<>(id));
        atEnd(handle, () -> removeBroadcast(id));
        return handle;
    }

    /** Tells whether it was there. */
    private boolean removeBroadcast(long id) {
        boolean was = broadcasts.remove(id) != null;
        if (was) {
            forgetting.accept(id);
        }
        return was;
    }

    /** The value of a broadcast; refused once it was destroyed. */
    Object broadcast(long id) {
        Object value = broadcasts.get(id);
        if (value == null) {
            throw ErrorCode.CONTEXT_CLOSED
                    .failure(
                            "broadcast " + id
                                    + ": was destroyed (expected: read before that); destroy it after the last job that reads it")
                    .permanent();
        }
        return value;
    }

    @Override
    public Object value(long id, ShuffleReadContext task) {
        return broadcast(id);
    }

    <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind) {
        long id = made.getAndIncrement();
        Accumulator<T, R> handle = Accumulator.of(id, name, kind);
        accumulators.put(id, atEnd(handle, () -> accumulators.remove(id)));
        return handle;
    }

    /** The driver's accumulator of that number, unless nobody can read it any more. */
    Optional<Accumulator<?, ?>> accumulator(long id) {
        Handle handle = accumulators.get(id);
        return handle == null ? Optional.empty() : Optional.ofNullable((Accumulator<?, ?>) handle.get());
    }

    /** Calls {@code forget} with {@code shuffle} once nothing can read {@code dataset} any more. */
    void shuffle(Object dataset, int shuffle, IntConsumer forget) {
        atEnd(dataset, () -> forget.accept(shuffle));
    }

    /** Calls {@code end} once nothing can read {@code dataset} any more. */
    void whenDropped(Object dataset, Runnable end) {
        atEnd(dataset, end);
    }

    void dropUnused() {
        for (Reference<?> gone = dropped.poll(); gone != null; gone = dropped.poll()) {
            Runnable end = atEnd.remove((Handle) gone);
            if (end != null) {
                end.run();
            }
        }
    }

    /** Whether there is anything that the program may drop. */
    boolean isTracking() {
        return !atEnd.isEmpty();
    }

    void clear() {
        broadcasts.clear();
        accumulators.clear();
        atEnd.clear();
    }

    private Handle atEnd(Object referent, Runnable end) {
        dropUnused();
        Handle handle = new Handle(referent, dropped);
        atEnd.put(handle, end);
        return handle;
    }

    /** The driver's hold on one broadcast; knows the handle's number only, so that the handle can go. */
    private final class Held<T> implements Broadcast.Source<T> {
        private final long id;

        Held(long id) {
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
