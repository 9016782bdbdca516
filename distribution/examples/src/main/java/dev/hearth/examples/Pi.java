package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Estimates pi by throwing random darts at a square. The argument is the number of slices (default 2); a task throws
 * the darts of one slice.
 */
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
     * The number of darts of one slice that hit the circle. It is deterministic, so that every attempt of the task
     * returns the same number.
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
