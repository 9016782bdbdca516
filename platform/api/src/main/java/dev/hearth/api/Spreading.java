package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Gives each element the number of the partition it is to go to, in turn, from a place on that differs by partition. */
record Spreading<T>(int partitions) implements IndexedPartitionFunction<T, Pair<Integer, T>> {
    @Override
    public Iterator<Pair<Integer, T>> apply(int partition, Iterator<T> elements) {
        int first = Math.floorMod(Seeds.of(0, partition), partitions);
        return new Iterator<>() {
            private int next = first;

            @Override
            public boolean hasNext() {
                return elements.hasNext();
            }

            @Override
            public Pair<Integer, T> next() {
                int target = next;
                next = target + 1 == partitions ? 0 : target + 1;
                return new Pair<>(target, elements.next());
            }
        };
    }

    /** All elements of a partition to one, by its number. */
    record ByPartition<T>(int partitions) implements IndexedPartitionFunction<T, Pair<Integer, T>> {
        @Override
        public Iterator<Pair<Integer, T>> apply(int partition, Iterator<T> elements) {
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return elements.hasNext();
                }

                @Override
                public Pair<Integer, T> next() {
                    return new Pair<>(partition % partitions, elements.next());
                }
            };
        }
    }

    /** Keys are numbers of partitions. */
    record ByNumber(int partitions) implements Partitioner {
        @Override
        public int partition(@Nullable Object key) {
            return key instanceof Integer number ? number : 0;
        }
    }
}
