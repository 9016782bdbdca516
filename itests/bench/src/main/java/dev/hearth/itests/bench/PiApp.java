package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Estimates pi with the same elements, functions and result as the program of the shared benchmark. The tasks carry 100,000
 * boxed numbers each; the example {@code Pi} sends one number with each task.
 */
public final class PiApp {
    private static final int NUMBERS_PER_SLICE = 100_000;

    private PiApp() {}

    public static void main(String[] arguments) {
        int slices = Integer.parseInt(arguments[0]);
        int count = NUMBERS_PER_SLICE * slices;
        List<Integer> numbers = IntStream.range(0, count).boxed().collect(Collectors.toList());
        try (HearthContext context = HearthContext.builder().name("pi").open()) {
            int hits = context.parallelize(numbers, slices).map(PiApp::hit).reduce(Integer::sum);
            System.out.println("Pi is roughly " + 4.0 * hits / count);
        }
    }

    private static int hit(int number) {
        double x = GeneratedData.fraction(1, number);
        double y = GeneratedData.fraction(2, number);
        return x * x + y * y <= 1 ? 1 : 0;
    }
}
