package dev.hearth.engine.internal.sort;

import dev.hearth.spi.error.ErrorCode;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Order of one sort: the user's comparator or the natural order, ascending or descending. Never compares null keys,
 * which a sort stores separately. Immutable.
 */
public final class SortOrder {
    private static final String REMEDY =
            "; use keys of one comparable class, or pass a serialisable Comparator to sortByKey";

    private final Optional<Comparator<Object>> comparator;
    private final boolean descending;
    private final boolean nullsLast;

    public SortOrder(Optional<Comparator<Object>> comparator, boolean descending) {
        boolean reversed = comparator.filter(Comparator.reverseOrder()::equals).isPresent();
        boolean natural =
                reversed || comparator.filter(Comparator.naturalOrder()::equals).isPresent();
        this.comparator = natural ? Optional.empty() : comparator;
        this.descending = reversed != descending;
        this.nullsLast = descending;
    }

    /** Whether keys are compared by their natural order. */
    boolean isNatural() {
        return comparator.isEmpty();
    }

    boolean isDescending() {
        return descending;
    }

    /** Whether pairs with a null key come after all other pairs. The comparator is never called with a null key. */
    boolean isNullsLast() {
        return nullsLast;
    }

    /** Compares two keys, neither of them null. */
    public int compare(Object left, Object right) {
        Object first = descending ? right : left;
        Object second = descending ? left : right;
        return comparator.isPresent() ? comparator.get().compare(first, second) : compareNaturally(first, second);
    }

    @SuppressWarnings("unchecked") // a ClassCastException is reported below
    private static int compareNaturally(Object left, Object right) {
        try {
            return ((Comparable<Object>) left).compareTo(right);
        } catch (ClassCastException failure) {
            throw left instanceof Comparable<?>
                    ? mixed(left.getClass(), right.getClass(), failure)
                    : incomparable(left);
        }
    }

    /** Fails for a key that has no natural order, unless the user gave a comparator. */
    void expectComparable(Object key) {
        if (comparator.isEmpty() && !(key instanceof Comparable<?>)) {
            throw incomparable(key);
        }
    }

    private static RuntimeException incomparable(Object key) {
        return ErrorCode.BAD_ARGUMENT.failure("sort key: of class "
                + key.getClass().getName() + ", which has no natural order (expected: a Comparable)" + REMEDY);
    }

    /** Creates the error for keys of two classes that cannot be compared with each other. */
    static RuntimeException mixed(Class<?> one, Class<?> another, @Nullable ClassCastException cause) {
        return ErrorCode.BAD_ARGUMENT.failure(
                "sort keys: of classes " + one.getName() + " and " + another.getName()
                        + " (expected: keys that compare with one another)" + REMEDY,
                cause);
    }
}
