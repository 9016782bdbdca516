package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Draws keys of some pairs, each pair as likely as any other, the same ones whenever it draws of the same pairs. Beyond the first it
 * decides how many to pass over, not of each whether it is drawn (Li 1994, algorithm L). Owned by one task.
 */
final class ReservoirSampler {
    private final int most;
    private final SplittableRandom random;
    private final List<@Nullable Object> keys = new ArrayList<>();
    private long seen;
    private long next; // the number of the pair that is drawn next
    private double weight = 1; // the largest of as many chances as keys are kept

    ReservoirSampler(int most, long seed) {
        this.most = most;
        this.random = new SplittableRandom(seed);
    }

    /** How many pairs there were, then the keys that were drawn. */
    @Nullable
    Object[] draw(Iterator<Object> pairs) {
        pairs.forEachRemaining(pair -> {
            if (seen++ == next) {
                take(((Pair<?, ?>) pair).key());
            }
        });
        keys.add(0, seen);
        return keys.toArray();
    }

    private void take(@Nullable Object key) {
        if (keys.size() < most) {
            keys.add(key);
        } else {
            keys.set(random.nextInt(most), key);
        }
        if (keys.size() < most) {
            next++;
        } else {
            weight *= Math.exp(Math.log(chance()) / most);
            double passed = Math.floor(Math.log(chance()) / Math.log1p(-weight));
            next += 1 + (long) Math.min(passed, Long.MAX_VALUE / 2.0); // nothing more of it, at the latest
        }
    }

    /** Above 0, below 1. */
    private double chance() {
        return 1 - random.nextDouble(0, 1 - Math.ulp(1.0));
    }
}
