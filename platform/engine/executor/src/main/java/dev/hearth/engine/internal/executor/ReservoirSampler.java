package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reservoir sampler of keys. Each pair is sampled with equal probability, and the same pairs give the same sample. Once
 * the reservoir is full, the sampler computes how many pairs to skip. This is cheaper than a random decision for each
 * pair (Li 1994, algorithm L). Owned by one task.
 */
final class ReservoirSampler {
    private final int max;
    private final SplittableRandom random;
    private final List<@Nullable Object> keys = new ArrayList<>();
    private long seen;
    private long next; // index of the next pair to sample
    private double weight = 1; // the variable W of algorithm L

    ReservoirSampler(int max, long seed) {
        this.max = max;
        this.random = new SplittableRandom(seed);
    }

    /** Returns an array: first the number of all {@code pairs}, then the sampled keys. */
    @Nullable
    Object[] sample(Iterator<Object> pairs) {
        pairs.forEachRemaining(pair -> {
            if (seen++ == next) {
                take(((Pair<?, ?>) pair).key());
            }
        });
        keys.add(0, seen);
        return keys.toArray();
    }

    private void take(@Nullable Object key) {
        if (keys.size() < max) {
            keys.add(key);
        } else {
            keys.set(random.nextInt(max), key);
        }
        if (keys.size() < max) {
            next++;
        } else {
            weight *= Math.exp(Math.log(uniform()) / max);
            double skipped = Math.floor(Math.log(uniform()) / Math.log1p(-weight));
            // The bound exceeds the length of any partition and prevents an overflow.
            next += 1 + (long) Math.min(skipped, Long.MAX_VALUE / 2.0);
        }
    }

    /** Returns a random number above 0 and below 1. */
    private double uniform() {
        return 1 - random.nextDouble(0, 1 - Math.ulp(1.0));
    }
}
