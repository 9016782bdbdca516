package dev.hearth.engine.internal.storage;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects immutable elements into batches of columns, two columns for pairs. Owned by the thread of its
 * {@link BlockWriter}.
 */
final class CachedBatchBuilder {
    // number of elements after which the size of their objects is checked against the reserved memory
    private static final int SIZED_EVERY = 64;

    private final ImmutabilityCheck unchangeable;
    private final AppendOnlySizeEstimator objectSizes;
    private final BlockColumnBuilder keys;
    private final BlockColumnBuilder values;
    private long finishedBytes;
    private boolean pairs;
    private boolean mixed; // whether pairs and other elements are mixed, and stored in one column

    CachedBatchBuilder(ImmutabilityCheck unchangeable, ObjectSizeEstimator sizes, int recordsMax) {
        this.unchangeable = unchangeable;
        this.objectSizes = new AppendOnlySizeEstimator(sizes);
        this.keys = new BlockColumnBuilder(objectSizes, recordsMax);
        this.values = new BlockColumnBuilder(objectSizes, recordsMax);
    }

    /** Whether {@code element} is immutable, as every element that is added must be. */
    boolean takes(@Nullable Object element) {
        return element instanceof Pair<?, ?> pair
                ? unchangeable.isValue(pair.key()) && unchangeable.isValue(pair.value())
                : unchangeable.isValue(element);
    }

    /**
     * Adds an element to the current batch. If the batch is complete, appends it to {@code batches} and begins another.
     * {@code booked} gets the size of all elements and reserves memory for them; if it refuses, returns false.
     */
    boolean add(@Nullable Object element, List<CachedBatch> batches, LongPredicate booked) {
        boolean pair = element instanceof Pair<?, ?> && !mixed;
        if (values.size() > 0 && pair != pairs) {
            finish(batches);
            mixed = true;
            pair = false;
        }
        if (values.isFull()) {
            finish(batches);
        }
        pairs = pair;
        if (values.mustGrow()) {
            if (!booked.test(bytes() + values.growth() + (pair ? keys.growth() : 0))) {
                return false;
            }
            values.grow();
            if (pair) {
                keys.grow();
            }
        } else if (values.size() % SIZED_EVERY == 0 && !booked.test(bytes())) {
            return false;
        }
        if (pair && element instanceof Pair<?, ?> both) {
            keys.add(both.key());
            values.add(both.value());
        } else {
            values.add(element);
        }
        return true;
    }

    /** Estimated size in bytes of all elements added so far, including those in finished batches. */
    long bytes() {
        return finishedBytes + keys.bytes() + values.bytes() + objectSizes.estimate();
    }

    /**
     * Finishes the current batch, appends it to {@code batches}, and starts an empty one. An empty batch is not
     * appended.
     */
    void finish(List<CachedBatch> batches) {
        if (values.size() == 0) {
            return;
        }
        Column second = values.finish();
        finishedBytes += second.bytes();
        if (pairs) {
            Column first = keys.finish();
            finishedBytes += first.bytes();
            batches.add(new CachedBatch.Pairs(first, second));
        } else {
            batches.add(new CachedBatch.Single(second));
        }
    }
}
