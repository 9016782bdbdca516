package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import java.util.Iterator;
import java.util.SplittableRandom;

/**
 * Samples about the share {@code fraction} of the elements of a partition. Equal seeds draw the same elements from a
 * partition that yields its elements in the same order.
 */
record Sampling<T>(boolean withReplacement, double fraction, long seed) implements IndexedPartitionFunction<T, T> {
    @Override
    public Iterator<T> apply(int partition, Iterator<T> elements) {
        SplittableRandom random = new SplittableRandom(PartitionSeeds.of(seed, partition));
        return withReplacement
                ? new RepeatedElements<>(elements, element -> RandomVariates.poisson(random, fraction))
                : new FilteredElements<>(elements, element -> random.nextDouble() < fraction);
    }

    /**
     * One part of a randomSplit: draws a number from 0 to 1 for each element. Elements whose number is at least {@code
     * from} and below {@code until} are kept.
     */
    record RandomSlice<T>(double from, double until, long seed) implements IndexedPartitionFunction<T, T> {
        @Override
        public Iterator<T> apply(int partition, Iterator<T> elements) {
            SplittableRandom random = new SplittableRandom(PartitionSeeds.of(seed, partition));
            return new FilteredElements<>(elements, element -> {
                double drawn = random.nextDouble();
                return drawn >= from && drawn < until;
            });
        }
    }
}
