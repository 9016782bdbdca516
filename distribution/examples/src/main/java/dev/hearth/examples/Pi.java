package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Estimates pi by throwing darts at a square. Argument: the number of slices, each a task (default 2). */
public final class Pi {
    private static final int DARTS_PER_SLICE = 100_000;

    private Pi() {}

    public static void main(String[] words) {
        int slices = ExampleArguments.of("Pi [slices]", words).number(0, 1, 2);
        List<Integer> numbers = IntStream.range(0, slices).boxed().toList();
        try (HearthContext context = HearthContext.builder().name("Pi").open()) {
            long hits = context.parallelize(numbers, slices).map(Pi::hits).reduce(Long::sum);
            double pi = 4.0 * hits / ((double) DARTS_PER_SLICE * slices);
            System.out.println("Pi is roughly " + pi);
        }
    }

    /**
     * Number of darts of one slice that fall into the circle. Deterministic, so every attempt of the task returns the
     * same.
     */
    private static long hits(int slice) {
        SplittableRandom random = new SplittableRandom(slice);
        long hits = 0;
        for (int dart = 0; dart < DARTS_PER_SLICE; dart++) {
            double x = random.nextDouble() * 2 - 1;
            double y = random.nextDouble() * 2 - 1;
            if (x * x + y * y <= 1) {
                hits++;
            }
        }
        return hits;
    }
}
