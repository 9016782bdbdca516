package dev.hearth.api;

import java.io.Serializable;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A serialisable {@link Optional}: holds a value or is empty. An option of null is empty.
 * <pre>{@code Optional<String> found = Option.of("a").toOptional();}</pre>
 */
public record Option<T>(@Nullable T value) implements Serializable {
    private static final Option<?> EMPTY = new Option<>(null);

    /**
     * An option that holds {@code value}; throws {@link NullPointerException} for null, as {@link Optional#of} does.
     */
    public static <T> Option<T> of(T value) {
        return new Option<>(
                Objects.requireNonNull(value, "Option.of: null (expected: a value); use Option.ofNullable"));
    }

    public static <T> Option<T> ofNullable(@Nullable T value) {
        return value == null ? empty() : new Option<>(value);
    }

    @SuppressWarnings("unchecked") // an empty option holds no value, so it has every type
    public static <T> Option<T> empty() {
        return (Option<T>) EMPTY;
    }

    public static <T> Option<T> ofOptional(Optional<? extends T> value) {
        return value.isPresent() ? new Option<>(value.get()) : empty();
    }

    public Optional<T> toOptional() {
        return Optional.ofNullable(value);
    }

    public Stream<T> stream() {
        return toOptional().stream();
    }

    public boolean isPresent() {
        return value != null;
    }

    public boolean isEmpty() {
        return value == null;
    }

    public T get() {
        if (value == null) {
            throw new NoSuchElementException(
                    "Option: is empty (expected: a value); check isPresent first, or use orElse");
        }
        return value;
    }

    public T orElse(T other) {
        return value == null ? other : value;
    }

    public T orElseGet(Supplier<? extends T> other) {
        return value == null ? other.get() : value;
    }

    public @Nullable T orNull() {
        return value;
    }

    public <X extends Throwable> T orElseThrow(Supplier<? extends X> failure) throws X {
        if (value == null) {
            throw failure.get();
        }
        return value;
    }

    public void ifPresent(Consumer<? super T> action) {
        if (value != null) {
            action.accept(value);
        }
    }

    public Option<T> filter(Predicate<? super T> test) {
        return value == null || test.test(value) ? this : empty();
    }

    /** Applies {@code function} to the value, if present; a null result gives an empty option. */
    public <R> Option<R> map(Function<? super T, ? extends R> function) {
        return value == null ? empty() : ofNullable(function.apply(value));
    }

    @SuppressWarnings("unchecked") // an option is immutable, so an option of a subtype of R may serve as an option of R
    public <R> Option<R> flatMap(Function<? super T, ? extends Option<? extends R>> function) {
        return value == null ? empty() : (Option<R>) function.apply(value);
    }

    @Override
    public String toString() {
        return value == null ? "Option.empty" : "Option[" + value + "]";
    }
}
