package dev.hearth.engine.internal.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.dataset.RangeBounds.Weighed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges are of equal weight as far as single keys allow. */
class RangeBoundsTest {
    @Test
    void cutsEqualWeightsEvenly() {
        assertEquals(List.of(24L, 49L, 74L), RangeBounds.of(keys(100, i -> 1), 4));
        assertEquals(List.of(), RangeBounds.of(keys(100, i -> 1), 1));
        assertEquals(List.of(), RangeBounds.of(List.of(), 5));
        assertEquals(List.of(), RangeBounds.of(keys(1, i -> 7), 5));
        assertEquals(List.of(0L, 1L), RangeBounds.of(keys(3, i -> 7), 5));
    }

    @Test
    void givesAHeavyKeyARangeOfItsOwnAndSharesTheRest() {
        List<Weighed> groups = keys(101, i -> i == 50 ? 1_000 : 1);
        List<?> bounds = RangeBounds.of(groups, 5);
        List<Double> weights = weights(groups, bounds);
        assertTrue(weights.contains(1_000.0), weights::toString);
        weights.remove(1_000.0);
        weights.forEach(weight -> assertTrue(weight <= 50, weights::toString));
    }

    @Test
    void noRangeIsHeavierThanItsShareByMoreThanHalfAKey() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int heaviest = 1 + random.nextInt(50);
            List<Weighed> groups = keys(1 + random.nextInt(400), i -> 1 + random.nextInt(heaviest));
            int ranges = 1 + random.nextInt(20);
            List<?> bounds = RangeBounds.of(groups, ranges);
            assertTrue(bounds.size() < ranges, "seed " + seed);
            double share = groups.stream().mapToDouble(Weighed::weight).sum() / ranges;
            for (double weight : weights(groups, bounds)) {
                assertTrue(
                        weight <= share + heaviest,
                        "seed " + seed + ": " + weight + " of " + share + ", keys up to " + heaviest);
            }
        }
    }

    private interface Weight {
        double of(int number);
    }

    private static List<Weighed> keys(int count, Weight weight) {
        List<Weighed> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(new Weighed((long) i, weight.of(i)));
        }
        return keys;
    }

    private static List<Double> weights(List<Weighed> groups, List<?> bounds) {
        List<Double> weights = new ArrayList<>();
        double sum = 0;
        for (Weighed group : groups) {
            sum += group.weight();
            if (weights.size() < bounds.size() && bounds.get(weights.size()).equals(group.key())) {
                weights.add(sum);
                sum = 0;
            }
        }
        weights.add(sum);
        return weights;
    }
}
