package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.sort.ExternalSorter;
import java.util.Iterator;

/**
 * Joins what several runs have of a key, in the order in which the keys were first seen: what is merged by hash codes is sorted by
 * the numbers of the keys, on disk again where memory does not suffice. Owned by one thread.
 */
final class FirstSeenOrderAggregates implements SpilledPairs {
    private final ExternalSorter sorter;
    private final Iterator<Object> sorted; // values are the pairs

    FirstSeenOrderAggregates(AggregationServices bench, SpilledHashRuns runs, AggregateFunction merging) {
        this.sorter = FirstSeenOrder.sorter(bench);
        try {
            try (MergedAggregates states = new MergedAggregates(bench, runs, merging, true)) {
                while (states.hasNext()) {
                    Object pair = states.next();
                    states.handedOver();
                    sorter.pair(states.number(), pair);
                }
            }
            runs.close(); // its files are read: their room is for those of the sort
            this.sorted = sorter.sorted();
        } catch (Throwable failed) { // whatever it is, also of a user's function: nobody else knows the sorter
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
        return FirstSeenOrder.value(sorted.next());
    }

    @Override
    public void close() {
        sorter.close();
    }
}
