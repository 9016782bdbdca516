package dev.hearth.engine.internal.executor;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Value that is created once, on first use. A lock is held while the value is created. Any thread may call. */
public final class Lazy<T> implements Supplier<T> {
    private final Supplier<? extends T> factory;
    private final Object lock;
    private volatile @Nullable T value;

    /** Creates a lazy value with a lock of its own. {@code factory} must not use this object. */
    public Lazy(Supplier<? extends T> factory) {
        this(new Object(), factory);
    }

    /**
     * Creates a value that {@code factory} computes on first use, under {@code lock}. Lazy values that depend on each
     * other share one lock, so that they cannot deadlock.
     */
    Lazy(Object lock, Supplier<? extends T> factory) {
        this.lock = lock;
        this.factory = factory;
    }

    @Override
    public T get() {
        T known = value;
        return known == null ? create() : known;
    }

    private T create() {
        synchronized (lock) {
            T known = value;
            if (known == null) {
                known = factory.get();
                value = known;
            }
            return known;
        }
    }

    /** Returns the value if it has been created, and does not create it. */
    public Optional<T> ifCreated() {
        return Optional.ofNullable(value);
    }
}
