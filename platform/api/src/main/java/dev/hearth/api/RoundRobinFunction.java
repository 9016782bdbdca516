package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the elements of a partition to target partitions round-robin. Each source partition starts at another target
 * partition, for an even distribution.
 */
record RoundRobinFunction<T>(int partitions) implements IndexedPartitionFunction<T, Pair<Integer, T>> {
    @Override
    public Iterator<Pair<Integer, T>> apply(int partition, Iterator<T> elements) {
        int first = Math.floorMod(PartitionSeeds.of(0, partition), partitions);
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

    /**
     * Assigns all elements of a source partition to one target partition: the source partition number modulo {@code
     * partitions}, the number of target partitions.
     */
    record ByPartitionNumber<T>(int partitions) implements IndexedPartitionFunction<T, Pair<Integer, T>> {
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

    /** Partitioner that takes each key, an integer, as the number of the target partition. */
    record PartitionNumberPartitioner(int partitions) implements Partitioner {
        @Override
        public int partition(@Nullable Object key) {
            return key instanceof Integer number ? number : 0;
        }
    }
}
