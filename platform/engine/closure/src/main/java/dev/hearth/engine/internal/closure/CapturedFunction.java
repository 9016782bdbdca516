package dev.hearth.engine.internal.closure;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user's function as it was when it was given to us. Immutable: later changes to what it holds have no effect.
 * <p>One that cannot change is kept as it is and shared by all tasks; any other is kept as bytes, read anew by each attempt.
 */
public final class CapturedFunction {
    /** Where no function belongs. */
    public static final CapturedFunction NONE = new CapturedFunction(null, Bytes.EMPTY, List.of());

    private final @Nullable Object shared;
    private final @Nullable Bytes bytes;
    private final List<Object> handles; // that the bytes name by number: while they are here, so is what they stand for
    private volatile @Nullable LambdaCloner form; // of lambdas, once one was read; made twice it is the same
    private volatile @Nullable Object kept; // what came as bytes and cannot change
    private volatile boolean read;

    private CapturedFunction(@Nullable Object shared, @Nullable Bytes bytes, List<Object> handles) {
        this.shared = shared;
        this.bytes = bytes;
        this.handles = handles;
    }

    /** Captures {@code function}; {@code subject} says in errors which of the user's things it is. */
    public static CapturedFunction of(@Nullable Object function, UserObjectSerializer objects, String subject) {
        if (function == null) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": null (expected: a function)");
        }
        if (objects.unchangeable().isFunction(function)) {
            return new CapturedFunction(function, null, List.of());
        }
        List<Object> handles = new ArrayList<>();
        Bytes bytes = objects.write(function, subject, met -> {
            if (met instanceof Broadcast || met instanceof Accumulator) {
                handles.add(met);
            }
        });
        return new CapturedFunction(null, bytes, List.copyOf(handles));
    }

    public static CapturedFunction encoded(Bytes bytes) {
        return new CapturedFunction(null, bytes, List.of());
    }

    /** The broadcasts and accumulators that the function names and that live as long as it. */
    List<Object> handles() {
        return handles;
    }

    /** Whether one instance serves all attempts. */
    public boolean isShared() {
        return shared != null;
    }

    /** The function, for one attempt. */
    public Object open(UserObjectSerializer objects, String subject) {
        if (shared != null) {
            return shared;
        }
        if (bytes == null || bytes.size() == 0) {
            throw new IllegalStateException(subject + ": none was captured (expected: one)");
        }
        Object same = kept;
        if (same != null) {
            return same;
        }
        LambdaCloner known = form;
        if (known != null) {
            return known.open(objects, subject);
        }
        Object function = objects.read(bytes, subject);
        if (!read) { // for the first time: it came as bytes, and may turn out to need no copies
            if (objects.unchangeable().isFunction(function)) {
                kept = function;
            } else {
                form = objects.form(function, subject);
            }
            read = true;
        }
        return function;
    }

    /** The function as it travels to another process. */
    public Bytes bytes(UserObjectSerializer objects, String subject) {
        return bytes != null ? bytes : objects.write(shared, subject);
    }
}
