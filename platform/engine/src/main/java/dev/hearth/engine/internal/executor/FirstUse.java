package dev.hearth.engine.internal.executor;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first asked for, once. Any thread may call; guarded by its own lock. */
public final class FirstUse<T> implements Supplier<T> {
    private final Supplier<? extends T> making;
    private volatile @Nullable T made;

    public FirstUse(Supplier<? extends T> making) {
        this.making = making;
    }

    @Override
    public T get() {
        T known = made;
        return known == null ? make() : known;
    }

    private synchronized T make() {
        T known = made;
        if (known == null) {
            known = making.get();
            made = known;
        }
        return known;
    }

    /** What was made, if anything was by now. */
    public Optional<T> ifMade() {
        return Optional.ofNullable(made);
    }
}
