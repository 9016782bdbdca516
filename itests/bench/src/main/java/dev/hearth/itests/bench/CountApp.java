package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The smallest application, as a whole process: opens a context, counts 1000 numbers in two partitions, and ends. */
public final class CountApp {
    private static final int NUMBERS = 1000;

    private CountApp() {}

    public static void main(String[] arguments) {
        List<Integer> numbers = IntStream.rangeClosed(1, NUMBERS).boxed().collect(Collectors.toList());
        try (HearthContext context =
                HearthContext.builder().name("count").master("local[2]").open()) {
            long count = context.parallelize(numbers, 2).count();
            if (count != NUMBERS) {
                throw new IllegalStateException("count: " + count + " (expected: " + NUMBERS + ")");
            }
            System.out.println("COUNT " + count);
        }
    }
}
