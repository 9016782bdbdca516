package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Second pass of sampleByKeyExact. From the numbers of pairs of each key that the first pass counted in each partition,
 * it draws the numbers of pairs to sample. The function that it returns takes this sample.
 */
record ExactKeySampling<K, V>(boolean withReplacement, Map<K, Double> fractions, long seed)
        implements MapFunction<List<Map<K, Long>>, IndexedPartitionFunction<Pair<K, V>, Pair<K, V>>>, Serializable {
    @Override
    public IndexedPartitionFunction<Pair<K, V>, Pair<K, V>> apply(List<Map<K, Long>> found) {
        SplittableRandom random = new SplittableRandom(PartitionSeeds.mix(seed));
        Map<K, SampleQuotas> quotas = new HashMap<>();
        fractions.forEach((key, fraction) -> {
            List<Long> sizes =
                    found.stream().map(part -> part.getOrDefault(key, 0L)).collect(Collectors.toList());
            long all = sizes.stream().mapToLong(Long::longValue).sum();
            quotas.put(key, SampleQuotas.draw(random, sizes, (long) Math.ceil(fraction * all), withReplacement));
        });
        return new Drawing<>(withReplacement, quotas, seed);
    }

    private record Drawing<K, V>(boolean withReplacement, Map<K, SampleQuotas> quotas, long seed)
            implements IndexedPartitionFunction<Pair<K, V>, Pair<K, V>> {
        @Override
        public Iterator<Pair<K, V>> apply(int partition, Iterator<Pair<K, V>> pairs) {
            SplittableRandom random = new SplittableRandom(PartitionSeeds.of(seed, partition));
            Map<K, ExactSampler> left = new HashMap<>();
            quotas.forEach((key, quota) -> left.put(
                    key, new ExactSampler(quota.sizes()[partition], quota.take()[partition], withReplacement)));
            return new RepeatedElements<>(pairs, pair -> {
                ExactSampler quota = left.get(pair.key());
                return quota == null ? 0 : quota.next(random);
            });
        }
    }
}
