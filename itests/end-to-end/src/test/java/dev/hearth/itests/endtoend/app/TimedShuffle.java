package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Shuffles all pairs of {@code args[0]} map tasks with {@code args[1]} pairs each to {@code args[2]} reduce tasks,
 * {@code args[3]} times. Prints the shortest and the median time of a round in microseconds.
 */
public final class TimedShuffle {
    private static final int WARM_UP = 3;
    private static final int MICRO = 1_000;

    private TimedShuffle() {}

    public static void main(String[] args) {
        int maps = Integer.parseInt(args[0]);
        long pairs = Long.parseLong(args[1]);
        int readers = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        long[] times = new long[rounds];
        try (HearthContext context =
                HearthContext.builder().name("timed shuffle").open()) {
            List<Integer> numbers = IntStream.range(0, maps).boxed().toList();
            for (int round = -WARM_UP; round < rounds; round++) {
                long begin = System.nanoTime();
                long count = context.parallelize(numbers, maps)
                        .flatMap(map -> LongStream.range(0, pairs).boxed().iterator())
                        .mapToPair(number -> Pair.of(number, number))
                        .partitionBy(new HashPartitioner(readers))
                        .count();
                if (count != maps * pairs) {
                    throw new IllegalStateException(count + " pairs (expected: " + maps * pairs + ")");
                }
                if (round >= 0) {
                    times[round] = (System.nanoTime() - begin) / MICRO;
                }
            }
        }
        Arrays.sort(times);
        System.out.println(times[0] + " " + times[rounds / 2]);
    }
}
