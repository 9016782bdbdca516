package dev.hearth.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Assigns consecutive ranges of keys to partitions. Each bound is the largest key of its range; the last range has no
 * bound. Null is smaller than every other key. {@code sortByKey} creates the bounds from a sample of the keys;
 * applications may give known bounds. Immutable.
 */
public final class RangePartitioner<K> implements Partitioner {
    private static final long serialVersionUID = 1L;

    private final Object[] bounds; // ascending, even if the partitions are in descending order
    private final boolean descending;
    private final @Nullable Comparator<? super K> order; // null: natural order

    /**
     * A partitioner with the given bounds, which must ascend in {@code order}, and one partition more than bounds.
     * {@code order} must be {@link java.io.Serializable}; empty means the natural order of the keys.
     */
    public RangePartitioner(
            List<? extends K> bounds, Optional<? extends Comparator<? super K>> order, boolean descending) {
        this.bounds = bounds.toArray();
        this.order = order.orElse(null);
        this.descending = descending;
    }

    @Override
    public int partitions() {
        return bounds.length + 1;
    }

    @Override
    public int partition(@Nullable Object key) {
        int range = range(key);
        return descending ? bounds.length - range : range;
    }

    /** The bounds, ascending. */
    public List<Object> bounds() {
        return Collections.unmodifiableList(Arrays.asList(bounds)); // may contain null
    }

    public boolean isDescending() {
        return descending;
    }

    /** Whether keys are compared in natural order. */
    public boolean isNatural() {
        return order == null;
    }

    /**
     * The index of the first range whose bound is not below {@code key}; that of the last range if all bounds are
     * below.
     */
    private int range(@Nullable Object key) {
        int low = 0;
        int high = bounds.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(bounds[middle], key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @SuppressWarnings("unchecked") // the caller chose an order for its keys
    private int compare(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return left == right ? 0 : left == null ? -1 : 1;
        }
        try {
            return order == null ? ((Comparable<Object>) left).compareTo(right) : order.compare((K) left, (K) right);
        } catch (ClassCastException failure) { // the bound `left` and the key `right` are of different classes
            throw new HearthException(
                    "BAD_ARGUMENT",
                    "key of a range partitioner: of class " + right.getClass().getName() + " (expected: a key that"
                            + " compares with "
                            + left.getClass().getName() + (order == null ? "" : " by " + order)
                            + "); make all keys of one comparable class, or give a Comparator that takes them all",
                    failure);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RangePartitioner<?> ranges
                && Arrays.equals(bounds, ranges.bounds)
                && descending == ranges.descending
                && Objects.equals(order, ranges.order);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(bounds), descending);
    }

    @Override
    public String toString() {
        return partitions() + " ranges of keys";
    }
}
