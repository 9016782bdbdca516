package dev.hearth.api;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;

/**
 * Statistics of numbers: count, mean, sum of squared differences from the mean, minimum and maximum. The statistics of
 * parts of a dataset can be joined in any order. Their rounding error is smaller than that of plain sums of squares.
 * Immutable.
 */
public record Statistics(long count, double mean, double squares, double min, double max) implements Serializable {
    /** The statistics of no numbers. */
    public static final Statistics NONE = new Statistics(0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    public static Statistics of(double... numbers) {
        return of(Arrays.stream(numbers).iterator());
    }

    public static Statistics of(Iterator<Double> numbers) {
        long count = 0;
        double mean = 0;
        double squares = 0;
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        while (numbers.hasNext()) {
            double number = numbers.next();
            count++;
            double difference = number - mean;
            mean += difference / count;
            squares += difference * (number - mean);
            min = Math.min(min, number);
            max = Math.max(max, number);
        }
        return new Statistics(count, mean, squares, min, max);
    }

    public Statistics join(Statistics other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        long both = count + other.count;
        double difference = other.mean - mean;
        return new Statistics(
                both,
                mean + difference * other.count / both,
                squares + other.squares + difference * difference * count * other.count / both,
                Math.min(min, other.min),
                Math.max(max, other.max));
    }

    public double sum() {
        return count * mean;
    }

    /** The population variance; NaN if there are no numbers. */
    public double variance() {
        return count == 0 ? Double.NaN : squares / count;
    }

    /** The sample variance, which divides by n - 1; NaN for fewer than two numbers. */
    public double sampleVariance() {
        return count <= 1 ? Double.NaN : squares / (count - 1);
    }

    /** The population standard deviation: the square root of {@link #variance}. */
    public double deviation() {
        return Math.sqrt(variance());
    }

    /** The sample standard deviation: the square root of {@link #sampleVariance}. */
    public double sampleDeviation() {
        return Math.sqrt(sampleVariance());
    }
}
