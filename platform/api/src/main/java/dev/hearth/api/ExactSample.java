package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Implements takeSample: one job counts the elements, the driver draws the sample size of each partition, and a
 * second job takes the samples. Immutable; used for one call.
 */
record ExactSample<T>(RddActions<T> dataset, boolean withReplacement, int count, long seed) {
    List<T> take() {
        List<Long> sizes = count == 0 ? List.of() : dataset.evaluate(new CountFunction<>());
        long all = sizes.stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            return List.of();
        }
        long wanted = withReplacement ? count : Math.min(count, all);
        SampleQuotas quotas =
                SampleQuotas.draw(new SplittableRandom(PartitionSeeds.mix(seed)), sizes, wanted, withReplacement);
        List<Integer> partitions = IntStream.range(0, sizes.size())
                .filter(partition -> quotas.take()[partition] > 0)
                .boxed()
                .toList();
        List<T> taken = new ArrayList<>();
        dataset.evaluate(new Taking<>(quotas, withReplacement, seed), partitions)
                .forEach(taken::addAll);
        Collections.shuffle(taken, new Random(seed)); // until here in partition order
        return taken;
    }

    private record Taking<T>(SampleQuotas quotas, boolean withReplacement, long seed)
            implements TaskFunction<T, List<T>> {
        @Override
        public List<T> apply(TaskContext task, Iterator<T> elements) {
            int partition = task.partition();
            SplittableRandom random = new SplittableRandom(PartitionSeeds.of(seed, partition));
            ExactSampler quota = new ExactSampler(quotas.sizes()[partition], quotas.take()[partition], withReplacement);
            List<T> taken = new ArrayList<>();
            while (elements.hasNext() && !quota.isFull()) {
                T element = elements.next();
                for (long times = quota.next(random); times > 0; times--) {
                    taken.add(element);
                }
            }
            return taken;
        }
    }
}
