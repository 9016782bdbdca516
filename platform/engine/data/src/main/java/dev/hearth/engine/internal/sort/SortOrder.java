package dev.hearth.engine.internal.sort;

import dev.hearth.spi.error.ErrorCode;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The order of one sort: the user's comparator or the keys' own, either way round; never asked about null. Immutable. */
public final class SortOrder {
    private static final String REMEDY =
            "; make keys of one comparable class, or give sortByKey a Comparator that is Serializable";

    private final Optional<Comparator<Object>> given;
    private final boolean descending;
    private final boolean nullsLast;

    public SortOrder(Optional<Comparator<Object>> given, boolean descending) {
        boolean reversed = given.filter(Comparator.reverseOrder()::equals).isPresent();
        boolean natural =
                reversed || given.filter(Comparator.naturalOrder()::equals).isPresent();
        this.given = natural ? Optional.empty() : given;
        this.descending = reversed != descending;
        this.nullsLast = descending;
    }

    /** Whether keys are compared by their own order. */
    boolean isNatural() {
        return given.isEmpty();
    }

    boolean isDescending() {
        return descending;
    }

    /** Whether the null key comes after all others: a comparator is not asked. */
    boolean isNullsLast() {
        return nullsLast;
    }

    /** Compares two keys of which none is null. */
    public int compare(Object left, Object right) {
        Object first = descending ? right : left;
        Object second = descending ? left : right;
        return given.isPresent() ? given.get().compare(first, second) : compareNaturally(first, second);
    }

    @SuppressWarnings("unchecked") // refused where it is not so
    private static int compareNaturally(Object left, Object right) {
        try {
            return ((Comparable<Object>) left).compareTo(right);
        } catch (ClassCastException failure) {
            throw left instanceof Comparable<?>
                    ? mixed(left.getClass(), right.getClass(), failure)
                    : incomparable(left);
        }
    }

    /** Refuses keys without an order. */
    void expectComparable(Object key) {
        if (given.isEmpty() && !(key instanceof Comparable<?>)) {
            throw incomparable(key);
        }
    }

    private static RuntimeException incomparable(Object key) {
        return ErrorCode.BAD_ARGUMENT.failure("key of a sort: of class "
                + key.getClass().getName() + ", which has no order (expected: a Comparable)" + REMEDY);
    }

    /** What to throw when keys are of classes that do not compare with one another. */
    static RuntimeException mixed(Class<?> one, Class<?> another, @Nullable ClassCastException cause) {
        return ErrorCode.BAD_ARGUMENT.failure(
                "keys of a sort: of classes " + one.getName() + " and " + another.getName()
                        + " (expected: keys that compare with one another)" + REMEDY,
                cause);
    }
}
