package dev.hearth.engine.internal.storage;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Elements that cannot change, gathered into chunks of columns, pairs into two. Owned by the thread of its {@link BlockWriter}. */
final class CachedBatchBuilder {
    private static final int SIZED_EVERY = 64; // objects: so often it is asked whether what they take is booked

    private final ImmutabilityCheck unchangeable;
    private final AppendOnlySizeEstimator objectSizes;
    private final BlockColumnBuilder keys;
    private final BlockColumnBuilder values;
    private long finishedBytes;
    private boolean pairs;
    private boolean mixed; // pairs and others: all as they are

    CachedBatchBuilder(ImmutabilityCheck unchangeable, ObjectSizeEstimator sizes, int recordsMax) {
        this.unchangeable = unchangeable;
        this.objectSizes = new AppendOnlySizeEstimator(sizes);
        this.keys = new BlockColumnBuilder(objectSizes, recordsMax);
        this.values = new BlockColumnBuilder(objectSizes, recordsMax);
    }

    /** Whether nobody can change it. */
    boolean takes(@Nullable Object element) {
        return element instanceof Pair<?, ?> pair
                ? unchangeable.isValue(pair.key()) && unchangeable.isValue(pair.value())
                : unchangeable.isValue(element);
    }

    /** Adds an element, and a finished chunk to {@code chunks}; false when {@code booked} refused the memory in all. */
    boolean add(@Nullable Object element, List<CachedBatch> chunks, LongPredicate booked) {
        boolean pair = element instanceof Pair<?, ?> && !mixed;
        if (values.size() > 0 && pair != pairs) {
            finish(chunks);
            mixed = true;
            pair = false;
        }
        if (values.isFull()) {
            finish(chunks);
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

    /** What all elements take that were added, in finished chunks too. */
    long bytes() {
        return finishedBytes + keys.bytes() + values.bytes() + objectSizes.estimate();
    }

    /** Finishes the chunk under way. */
    void finish(List<CachedBatch> chunks) {
        if (values.size() == 0) {
            return;
        }
        Column second = values.finish();
        finishedBytes += second.bytes();
        if (pairs) {
            Column first = keys.finish();
            finishedBytes += first.bytes();
            chunks.add(new CachedBatch.Pairs(first, second));
        } else {
            chunks.add(new CachedBatch.Single(second));
        }
    }
}
