package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/**
 * Pairs the elements of a partition with numbers: the first with {@code from}, the next with {@code from + step}, and
 * so on.
 */
record ZipIndexFunction<T>(long from, long step) implements IndexedPartitionFunction<T, Pair<T, Long>> {
    @Override
    public Iterator<Pair<T, Long>> apply(int partition, Iterator<T> elements) {
        return new Iterator<>() {
            private long next = from;

            @Override
            public boolean hasNext() {
                return elements.hasNext();
            }

            @Override
            public Pair<T, Long> next() {
                long number = next;
                next += step;
                return new Pair<>(elements.next(), number);
            }
        };
    }

    /**
     * Pairs elements with unique numbers for zipWithUniqueId: element i of partition p gets p + i * n, for n
     * partitions.
     */
    record UniqueIds<T>(int partitions) implements IndexedPartitionFunction<T, Pair<T, Long>> {
        @Override
        public Iterator<Pair<T, Long>> apply(int partition, Iterator<T> elements) {
            return new ZipIndexFunction<T>(partition, partitions).apply(partition, elements);
        }
    }

    /**
     * Pairs elements with their indexes for zipWithIndex; {@code firsts} has the index of the first element of each
     * partition.
     */
    @SuppressWarnings("ArrayRecordComponent") // never modified
    record ConsecutiveIndexes<T>(long[] firsts) implements IndexedPartitionFunction<T, Pair<T, Long>> {
        @Override
        public Iterator<Pair<T, Long>> apply(int partition, Iterator<T> elements) {
            return new ZipIndexFunction<T>(firsts[partition], 1).apply(partition, elements);
        }
    }

    /**
     * Prepares the second pass of zipWithIndex: computes the index of the first element of each partition from the
     * numbers of elements that the first pass counted.
     */
    record IndexesFromCounts<T>()
            implements MapFunction<List<Long>, IndexedPartitionFunction<T, Pair<T, Long>>>, Serializable {
        @Override
        public IndexedPartitionFunction<T, Pair<T, Long>> apply(List<Long> counts) {
            long[] firsts = new long[counts.size()];
            for (int i = 1; i < firsts.length; i++) {
                firsts[i] = firsts[i - 1] + counts.get(i - 1);
            }
            return new ConsecutiveIndexes<>(firsts);
        }
    }
}
