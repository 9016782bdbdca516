package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.sort.PairSorter;
import java.util.Iterator;

/**
 * Joins what several runs have of a key, in the order in which the keys were first seen: what is merged by hash codes is sorted by
 * the numbers of the keys, on disk again where memory does not suffice. Owned by one thread.
 */
final class OrderedStates implements StoredPairs {
    private final PairSorter sorter;
    private final Iterator<Object> sorted; // values are the pairs

    OrderedStates(Workbench bench, HashRuns runs, Merging merging) {
        this.sorter = Numbers.sorter(bench);
        try {
            try (MergedStates states = new MergedStates(bench, runs, merging, true)) {
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
        return Numbers.value(sorted.next());
    }

    @Override
    public void close() {
        sorter.close();
    }
}
