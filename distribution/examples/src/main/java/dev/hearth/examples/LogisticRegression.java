package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Learns to classify points of two kinds. An input line holds the kind of a point, 1 or -1, and its coordinates. Prints
 * the weight of each coordinate.
 */
public final class LogisticRegression {
    private static final List<String> EXAMPLES =
            List.of("1 2.0 1.0", "1 1.5 2.5", "1 3.0 0.5", "-1 -1.0 -2.0", "-1 -2.5 0.5", "-1 -0.5 -1.5");
    private static final double STEP = 0.5;

    private LogisticRegression() {}

    public static void main(String[] words) {
        ExampleArguments arguments = ExampleArguments.of("LogisticRegression [file] [rounds]", words);
        int rounds = arguments.number(1, 1, 20);
        try (HearthContext context =
                HearthContext.builder().name("LogisticRegression").open()) {
            Rdd<Example> examples =
                    arguments.lines(0, context, EXAMPLES).map(Example::new).cache();
            long count = examples.count();
            double[] weights = new double[examples.first().numbers.length];
            for (int round = 0; round < rounds; round++) {
                double[] now = weights;
                double[] slope = examples.treeAggregate(
                        new double[now.length],
                        (sum, example) -> add(sum, example.mistake(now), example.numbers),
                        (sum, other) -> add(sum, 1, other));
                weights = add(now.clone(), STEP / count, slope);
            }
            Arrays.stream(weights).forEach(System.out::println);
        }
    }

    /** Adds {@code times * numbers} to the array {@code sum} and returns that array. */
    private static double[] add(double[] sum, double times, double[] numbers) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += times * numbers[i];
        }
        return sum;
    }

    private static final class Example implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int kind;
        private final double[] numbers;

        Example(String line) {
            String[] words = line.trim().split("\\s+", -1);
            kind = Integer.parseInt(words[0]);
            numbers = Arrays.stream(words)
                    .skip(1)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }

        /**
         * The factor of this example in the gradient. Its sign is the kind; its size grows with the error of the
         * prediction.
         */
        double mistake(double... weights) {
            double margin = 0;
            for (int i = 0; i < weights.length; i++) {
                margin += weights[i] * numbers[i];
            }
            return kind / (1 + Math.exp(kind * margin));
        }
    }
}
