package dev.hearth.engine.internal.executor;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first asked for, once. Any thread may call; guarded by a lock, which making it holds. */
public final class Lazy<T> implements Supplier<T> {
    private final Supplier<? extends T> making;
    private final Object lock;
    private volatile @Nullable T made;

    /** Guarded by a lock of its own: making it asks for nothing that could ask for it. */
    public Lazy(Supplier<? extends T> making) {
        this(new Object(), making);
    }

    /** Guarded by the lock of those that are made of each other. */
    Lazy(Object lock, Supplier<? extends T> making) {
        this.lock = lock;
        this.making = making;
    }

    @Override
    public T get() {
        T known = made;
        return known == null ? make() : known;
    }

    private T make() {
        synchronized (lock) {
            T known = made;
            if (known == null) {
                known = making.get();
                made = known;
            }
            return known;
        }
    }

    /** What was made, if anything was by now. */
    public Optional<T> ifMade() {
        return Optional.ofNullable(made);
    }
}
