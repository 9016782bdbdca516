package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.sort.ExternalSorter;
import java.util.Iterator;

/**
 * Merges the aggregation buffers of several runs (sorted spill files). Returns the aggregated pairs in the order in
 * which their keys were first seen. The runs are merged by hash code, then the pairs are sorted by the sequence numbers
 * of their keys. The sort may spill again. Owned by one thread.
 */
final class FirstSeenOrderAggregates implements SpilledPairs {
    private final ExternalSorter sorter;
    private final Iterator<Object> sorted; // pairs of a sequence number and an aggregated key-value pair

    FirstSeenOrderAggregates(AggregationServices services, SpilledHashRuns runs, AggregateFunction function) {
        this.sorter = FirstSeenOrder.sorter(services);
        try {
            try (MergedAggregates merged = new MergedAggregates(services, runs, function, true)) {
                while (merged.hasNext()) {
                    Object pair = merged.next();
                    merged.releaseWhenPassedOn();
                    sorter.pair(merged.sequenceNumber(), pair);
                }
            }
            runs.close(); // all runs have been read: free their disk space before the sort needs it
            this.sorted = sorter.sorted();
        } catch (Throwable failed) {
            // user functions may throw, too; close here, because the caller gets no object to close
            sorter.close();
            throw failed;
        }
    }

    @Override
    public boolean hasNext() {
        return sorted.hasNext();
    }

    @Override
    public Object next() {
        return FirstSeenOrder.payload(sorted.next());
    }

    @Override
    public void close() {
        sorter.close();
    }
}
