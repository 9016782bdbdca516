package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.function.ZipFunction;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the sources from which one task attempt reads partitions of other branches of its stage. Owned by the attempt's
 * thread.
 */
final class NarrowSources implements BranchSource.Handler<Iterator<?>, Exception> {
    private final BranchReader open;
    private final int partition;
    private final Object function;

    /**
     * {@code open} opens partitions of other branches, and {@code function} is the deserialised user function of the
     * source.
     */
    NarrowSources(BranchReader open, int partition, Object function) {
        this.open = open;
        this.partition = partition;
        this.function = function;
    }

    @Override
    public Iterator<?> onUnion(BranchSource.Union source) {
        return new Chained(open, source.parts().of(partition).iterator());
    }

    @Override
    @SuppressWarnings("unchecked") // the compiler checked the types in the application, where it zips the datasets
    public Iterator<?> onZipped(BranchSource.Zipped source) throws Exception {
        List<NarrowDependencies.BranchPartition> parts = source.parts().of(partition);
        Iterator<Object> left = (Iterator<Object>) open.open(parts.get(0));
        Iterator<Object> right = (Iterator<Object>) open.open(parts.get(1));
        return TaskSteps.watched(
                ((ZipFunction<Object, Object, Object>) function).apply(left, right), source.label(), open.attempt());
    }

    @Override
    public Iterator<?> onCrossed(BranchSource.Crossed source) throws Exception {
        List<NarrowDependencies.BranchPartition> parts = source.parts().of(partition);
        return new Crossed(open, parts.get(0), parts.get(1));
    }

    @Override
    public Iterator<?> onCogrouped(BranchSource.Cogrouped source) throws Exception {
        return LocalAggregation.result(
                LocalAggregation.gather(open, source.parts().of(partition)), source.join());
    }

    /** Concatenation of partitions, each opened only when it is reached. */
    private static final class Chained implements Iterator<Object> {
        private final BranchReader open;
        private final Iterator<NarrowDependencies.BranchPartition> parts;
        private Iterator<?> current = Collections.emptyIterator();

        Chained(BranchReader open, Iterator<NarrowDependencies.BranchPartition> parts) {
            this.open = open;
            this.parts = parts;
        }

        @Override
        public boolean hasNext() {
            while (!current.hasNext()) {
                if (!parts.hasNext()) {
                    return false;
                }
                current = opened(open, parts.next());
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException("union: no more elements");
            }
            return current.next();
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            current.forEachRemaining(action);
            while (parts.hasNext()) {
                current = opened(open, parts.next());
                current.forEachRemaining(action);
            }
        }
    }

    /**
     * Iterator over the Cartesian product of two partitions. Buffers the second partition if it is small. Otherwise
     * buffers the first partition in batches, and computes the second partition again for each batch.
     */
    private static final class Crossed implements Iterator<Object> {
        private static final int BATCH_ELEMENTS = 8_192;

        private final BranchReader open;
        private final NarrowDependencies.BranchPartition second;
        private final Iterator<?> outer; // iterator over the first partition

        // buffered elements: a batch of the first partition, or the whole small second partition
        private final List<Object> batch = new ArrayList<>();
        private final boolean small;
        // elements of the unbuffered partition, each of which is paired with the whole batch
        private Iterator<?> passing = Collections.emptyIterator();
        private Iterator<Object> pairing = Collections.emptyIterator();
        private @Nullable Object passed; // current element of `passing`; null before the first element

        Crossed(BranchReader open, NarrowDependencies.BranchPartition first, NarrowDependencies.BranchPartition second)
                throws Exception {
            this.open = open;
            this.second = second;
            this.outer = open.open(first);
            Iterator<?> others = outer.hasNext() ? open.open(second) : Collections.emptyIterator();
            fill(others);
            this.small = !others.hasNext();
            if (small) {
                passing = batch.isEmpty() ? Collections.emptyIterator() : outer;
            } else {
                batch.clear();
            }
        }

        private void fill(Iterator<?> elements) {
            while (batch.size() < BATCH_ELEMENTS && elements.hasNext()) {
                batch.add(elements.next());
            }
        }

        @Override
        public boolean hasNext() {
            while (!pairing.hasNext()) {
                if (passing.hasNext()) {
                    passed = passing.next();
                    pairing = batch.iterator();
                } else if (small || !outer.hasNext()) {
                    return false;
                } else {
                    batch.clear();
                    fill(outer);
                    passing = opened(open, second);
                }
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException("cartesian: no more pairs");
            }
            open.attempt().checkKilled();
            Object other = pairing.next();
            return small ? new Pair<>(passed, other) : new Pair<>(other, passed);
        }
    }

    private static Iterator<?> opened(BranchReader open, NarrowDependencies.BranchPartition part) {
        try {
            return open.open(part);
        } catch (Exception thrown) {
            throw SneakyThrow.unchecked(thrown);
        }
    }
}
