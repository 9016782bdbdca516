package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random variates and estimates have the means and errors that theory predicts; seeds are fixed. */
class SamplingMathTest {
    private static final int DRAWS = 20_000;
    private static final double DEVIATIONS = 5; // of a mean: exceeded once in a million runs

    private static void isLike(String what, double mean, double variance, LongSupplier draw) {
        double[] drawn =
                LongStream.range(0, DRAWS).mapToDouble(i -> draw.getAsLong()).toArray();
        Statistics found = Statistics.of(drawn);
        double error = DEVIATIONS * Math.sqrt(variance / DRAWS);
        assertEquals(mean, found.mean(), error, what + ", mean");
        assertEquals(variance, found.variance(), 0.15 * variance, what + ", variance");
    }

    @Test
    void drawsByItsDistributions() {
        SplittableRandom random = new SplittableRandom(7);
        for (double mean : new double[] {0.1, 1, 30, 900}) {
            isLike("poisson " + mean, mean, mean, () -> RandomVariates.poisson(random, mean));
        }
        for (long tries : new long[] {1, 10, 1_000, 1_000_000}) {
            for (double p : new double[] {0.05, 0.3, 0.5, 0.95}) {
                isLike(
                        "binomial " + tries + " " + p,
                        tries * p,
                        tries * p * (1 - p),
                        () -> RandomVariates.binomial(random, tries, p));
            }
        }
        long[][] cases = {{10, 4, 5}, {1_000, 10, 500}, {1_000_000, 300_000, 1_000}, {1_000_000, 999_000, 500_000}};
        for (long[] each : cases) {
            double n = each[0];
            double marked = each[1];
            double drawn = each[2];
            isLike(
                    "hypergeometric " + List.of(n, marked, drawn),
                    drawn * marked / n,
                    drawn * (marked / n) * (1 - marked / n) * (n - drawn) / (n - 1),
                    () -> RandomVariates.hypergeometric(random, each[0], each[1], each[2]));
        }
    }

    @Test
    void quotasAddUp() {
        SplittableRandom random = new SplittableRandom(8);
        List<Long> sizes = List.of(0L, 5L, 100L, 1L, 0L);
        for (int wanted = 0; wanted <= 106; wanted++) {
            SampleQuotas once = SampleQuotas.draw(random, sizes, wanted, false);
            assertEquals(wanted, LongStream.of(once.take()).sum());
            for (int i = 0; i < sizes.size(); i++) {
                assertTrue(once.take()[i] <= sizes.get(i));
            }
            assertEquals(
                    wanted,
                    LongStream.of(SampleQuotas.draw(random, sizes, wanted, true).take())
                            .sum());
        }
    }

    @Test
    void sketchesAreAsWrongAsTheyMayBe() {
        for (double error : new double[] {0.2, 0.05, 0.01}) {
            for (int size : new int[] {0, 1, 10, 1_000, 100_000}) {
                HyperLogLog left = HyperLogLog.of("test", error);
                HyperLogLog right = HyperLogLog.of("test", error);
                for (int i = 0; i < size; i++) {
                    (i % 3 == 0 ? left : right).add("element " + i);
                    left.add("element " + (i - i % 2));
                }
                assertEquals(size, (double) left.join(right).estimate(), 4 * error * size + 0.5, size + " at " + error);
            }
        }
    }

    @Test
    void confidenceIsThatOfTheNormalDistribution() {
        assertEquals(1.959964, BoundedEstimates.deviations(0.95), 1e-5);
        assertEquals(0.674490, BoundedEstimates.deviations(0.5), 1e-5);
        assertEquals(3.290527, BoundedEstimates.deviations(0.999), 1e-5);
        assertEquals(4.891638, BoundedEstimates.deviations(0.999999), 1e-4);
        assertEquals(0, BoundedEstimates.deviations(0), 1e-9);
    }

    @Test
    void estimatesHoldWhatTheyEstimate() {
        SplittableRandom random = new SplittableRandom(9);
        int held = 0;
        for (int round = 0; round < 200; round++) {
            List<Statistics> parts = LongStream.range(0, 40)
                    .mapToObj(i -> Statistics.of(random.doubles(50, 0, 10).toArray()))
                    .toList();
            Estimate mean = BoundedEstimates.mean("test", 0.95).apply(parts.subList(0, 10), 40);
            Estimate sum = BoundedEstimates.sum("test", 0.95).apply(parts.subList(0, 10), 40);
            double whole = parts.stream().mapToDouble(Statistics::sum).sum();
            held += mean.low() <= 5 && mean.high() >= 5 && sum.low() <= whole && sum.high() >= whole ? 1 : 0;
        }
        assertTrue(held >= 170, "held " + held + " of 200");
        Estimate count = BoundedEstimates.count("test", 0.9).apply(List.of(100L, 110L), 4);
        assertEquals(421, count.mean(), 1);
        assertTrue(count.low() >= 210 && count.low() < 421 && count.high() > 421);
        assertEquals(Estimate.exact(210), BoundedEstimates.count("test", 0.9).apply(List.of(100L, 110L), 2));
        assertEquals(0, BoundedEstimates.count("test", 0.9).apply(List.of(), 2).confidence());
    }

    @Test
    void statisticsJoinWithoutLoss() {
        Statistics one = Statistics.of(1e9 + 1, 1e9 + 2);
        Statistics other = Statistics.of(1e9 + 3);
        assertEquals(2.0 / 3, one.join(other).variance(), 1e-6);
        assertEquals(
                Statistics.of(1e9 + 1, 1e9 + 2, 1e9 + 3).variance(),
                one.join(other).variance(),
                1e-6);
        assertEquals(one, one.join(Statistics.NONE));
        assertTrue(Double.isNaN(Statistics.NONE.variance()));
    }
}
