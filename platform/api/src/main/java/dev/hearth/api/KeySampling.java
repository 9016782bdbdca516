package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;

/** Implements sampleByKey: samples the pairs of a partition, with a sampling fraction for each key. */
record KeySampling<K, V>(boolean withReplacement, Map<K, Double> fractions, long seed)
        implements IndexedPartitionFunction<Pair<K, V>, Pair<K, V>> {
    @Override
    public Iterator<Pair<K, V>> apply(int partition, Iterator<Pair<K, V>> pairs) {
        SplittableRandom random = new SplittableRandom(PartitionSeeds.of(seed, partition));
        return new RepeatedElements<>(pairs, pair -> {
            double fraction = fractions.getOrDefault(pair.key(), 0.0);
            if (withReplacement) {
                return RandomVariates.poisson(random, fraction);
            }
            return random.nextDouble() < fraction ? 1 : 0;
        });
    }
}
