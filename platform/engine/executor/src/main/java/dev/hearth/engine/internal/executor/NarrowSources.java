package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.function.ZipFunction;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.Pipeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Elements of datasets made of partitions of others, without a shuffle. No state of its own. */
final class NarrowSources {
    private NarrowSources() {}

    @SuppressWarnings("unchecked") // the compiler checked the types where the datasets were put together
    static Iterator<?> elements(BranchReader open, Pipeline.Source source, int partition, Object function)
            throws Exception {
        List<NarrowDependencies.BranchPartition> parts = source.parts().of(partition);
        return switch (source.kind()) {
            case UNION -> new Chained(open, parts.iterator());
            case ZIPPED ->
                TaskSteps.watched(
                        ((ZipFunction<Object, Object, Object>) function)
                                .apply((Iterator<Object>) open.open(parts.get(0)), (Iterator<Object>)
                                        open.open(parts.get(1))),
                        source.kind(),
                        open.attempt());
            case CROSSED -> new Crossed(open, parts.get(0), parts.get(1));
            case COGROUPED_PARTS -> LocalAggregation.gather(open, parts).cogroups();
            case JOINED_PARTS -> LocalAggregation.gather(open, parts).joined();
            case INPUT, GROUPED, REDUCED, COMBINED, PAIRS, SORTED, COGROUPED, JOINED ->
                throw new IllegalStateException("source " + source.kind() + ": reads no parts");
            case TEXT, WHOLE_TEXT, BINARY, OBJECTS, FIXED_RECORDS, CHECKPOINT, KEPT ->
                throw new IllegalStateException("source " + source.kind() + ": reads files");
        };
    }

    /** One part after the other, each opened when it is come to. */
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
     * Every element of one part with every one of another. The other is kept in memory where it is small; else so many of the
     * first are, and the other is computed once for each such batch of them.
     */
    private static final class Crossed implements Iterator<Object> {
        private static final int BATCH_ELEMENTS = 8_192;

        private final BranchReader open;
        private final NarrowDependencies.BranchPartition second;
        private final Iterator<?> outer; // of the first part
        private final List<Object> batch = new ArrayList<>(); // of the first part, or all of a small second
        private final boolean small;
        private Iterator<?> passing = Collections.emptyIterator(); // elements that meet all of the batch
        private Iterator<Object> met = Collections.emptyIterator();
        private @Nullable Object passed; // none before the first one

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
            while (!met.hasNext()) {
                if (passing.hasNext()) {
                    passed = passing.next();
                    met = batch.iterator();
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
            Object other = met.next();
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
