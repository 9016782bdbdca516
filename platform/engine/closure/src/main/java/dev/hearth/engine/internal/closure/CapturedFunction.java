package dev.hearth.engine.internal.closure;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a user's function, taken when the function is passed to the API. Immutable: later changes to the user's
 * function have no effect.
 * <p>All tasks share a function that is immutable. Any other function is serialised, and each attempt deserialises its
 * own copy.
 */
public final class CapturedFunction {
    /** Placeholder for the function of an operation that calls no function of the user. */
    public static final CapturedFunction NONE = new CapturedFunction(null, Bytes.EMPTY, List.of());

    private final @Nullable Object shared;
    private final @Nullable Bytes bytes;
    // broadcasts and accumulators that the bytes refer to by id; referenced here so that they stay alive
    private final List<Object> handles;
    // makes copies of a lambda; set by the first read, where concurrent reads set equal values
    private volatile @Nullable LambdaCloner lambda;
    private volatile @Nullable Object immutable; // the deserialised function, if it proved to be immutable
    private volatile boolean wasRead;

    private CapturedFunction(@Nullable Object shared, @Nullable Bytes bytes, List<Object> handles) {
        this.shared = shared;
        this.bytes = bytes;
        this.handles = handles;
    }

    /**
     * Captures {@code function}: shares it if immutable, and serialises it otherwise. {@code subject} names the
     * function in errors.
     */
    public static CapturedFunction of(@Nullable Object function, UserObjectSerializer objects, String subject) {
        if (function == null) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": null (expected: a function)");
        }
        if (objects.unchangeable().isFunction(function)) {
            return new CapturedFunction(function, null, List.of());
        }
        List<Object> handles = new ArrayList<>();
        Bytes bytes = objects.write(function, subject, written -> {
            if (written instanceof Broadcast || written instanceof Accumulator) {
                handles.add(written);
            }
        });
        return new CapturedFunction(null, bytes, List.copyOf(handles));
    }

    public static CapturedFunction encoded(Bytes bytes) {
        return new CapturedFunction(null, bytes, List.of());
    }

    /**
     * The broadcasts and accumulators that the function refers to. They stay reachable as long as this captured
     * function is reachable.
     */
    List<Object> handles() {
        return handles;
    }

    /** Whether all task attempts call one instance of the function, instead of a fresh copy for each attempt. */
    public boolean isShared() {
        return shared != null;
    }

    /**
     * Returns the function for one task attempt: the instance that all attempts share, or a freshly deserialised copy.
     */
    public Object open(UserObjectSerializer objects, String subject) {
        if (shared != null) {
            return shared;
        }
        if (bytes == null || bytes.size() == 0) {
            throw new IllegalStateException(subject + ": no function was captured (expected: one)");
        }
        Object shareable = immutable;
        if (shareable != null) {
            return shareable;
        }
        LambdaCloner template = lambda;
        if (template != null) {
            return template.open(objects, subject);
        }
        Object function = objects.read(bytes, subject);
        if (!wasRead) { // the first instance shows whether the function is immutable
            if (objects.unchangeable().isFunction(function)) {
                immutable = function;
            } else {
                lambda = objects.form(function, subject);
            }
            wasRead = true;
        }
        return function;
    }

    /** The serialised form of the function, for executors in other processes. */
    public Bytes bytes(UserObjectSerializer objects, String subject) {
        return bytes != null ? bytes : objects.write(shared, subject);
    }
}
