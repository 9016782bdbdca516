package dev.hearth.api;

import dev.hearth.api.function.EstimateFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes estimates with confidence intervals from the results of the finished tasks, as if these tasks were a random
 * sample of all tasks. Stateless.
 */
final class BoundedEstimates {
    private BoundedEstimates() {}

    static EstimateFunction<Long, Estimate> count(String operation, double confidence) {
        double deviations = deviations(ArgumentChecks.confidence(operation, confidence));
        return (found, tasks) ->
                count(found.stream().mapToLong(Long::longValue).sum(), found.size(), tasks, confidence, deviations);
    }

    static <T> EstimateFunction<Map<T, Long>, Map<T, Estimate>> counts(String operation, double confidence) {
        double deviations = deviations(ArgumentChecks.confidence(operation, confidence));
        return (found, tasks) -> {
            Map<T, Long> sums = new HashMap<>();
            found.forEach(part -> part.forEach((key, count) -> sums.merge(key, count, Long::sum)));
            Map<T, Estimate> estimates = new HashMap<>();
            sums.forEach((key, sum) -> estimates.put(key, count(sum, found.size(), tasks, confidence, deviations)));
            return estimates;
        };
    }

    static EstimateFunction<Statistics, Estimate> mean(String operation, double confidence) {
        double deviations = deviations(ArgumentChecks.confidence(operation, confidence));
        return (found, tasks) -> {
            Statistics joined = join(found);
            if (found.size() == tasks) {
                return Estimate.exact(joined.count() == 0 ? Double.NaN : joined.mean());
            }
            if (joined.count() == 0) {
                return unknown();
            }
            double error = joined.count() == 1
                    ? Double.POSITIVE_INFINITY
                    : deviations * joined.sampleDeviation() / Math.sqrt((double) joined.count());
            return new Estimate(joined.mean(), confidence, joined.mean() - error, joined.mean() + error);
        };
    }

    /**
     * Estimates the sum as the product of the estimated mean and count. The variance of the sum follows from the
     * variances of both.
     */
    static EstimateFunction<Statistics, Estimate> sum(String operation, double confidence) {
        double deviations = deviations(ArgumentChecks.confidence(operation, confidence));
        return (found, tasks) -> {
            Statistics joined = join(found);
            if (found.size() == tasks) {
                return Estimate.exact(joined.sum());
            }
            if (joined.count() == 0) {
                return unknown();
            }
            double part = (double) found.size() / tasks;
            double count = joined.count() / part;
            double countVariance = joined.count() * (1 - part) / (part * part);
            double meanVariance =
                    joined.count() == 1 ? Double.POSITIVE_INFINITY : joined.sampleVariance() / joined.count();
            double variance = countVariance * joined.mean() * joined.mean()
                    + meanVariance * count * count
                    + countVariance * meanVariance;
            double sum = count * joined.mean();
            double error = deviations * Math.sqrt(variance);
            return new Estimate(sum, confidence, sum - error, sum + error);
        };
    }

    private static Statistics join(List<Statistics> found) {
        return found.stream().reduce(Statistics.NONE, Statistics::join);
    }

    private static Estimate unknown() {
        return new Estimate(Double.NaN, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    private static Estimate count(long sum, int found, int tasks, double confidence, double deviations) {
        if (found == tasks) {
            return Estimate.exact((double) sum);
        }
        if (found == 0) {
            return new Estimate(0, 0, 0, Double.POSITIVE_INFINITY);
        }
        double part = (double) found / tasks;
        double mean = (sum + 1 - part) / part;
        double error = deviations * Math.sqrt((sum + 1) * (1 - part)) / part;
        return new Estimate(mean, confidence, Math.max((double) sum, mean - error), mean + error);
    }

    /**
     * Half the width of a confidence interval, in standard deviations. With probability {@code confidence}, a normal
     * variate is at most this far from its mean.
     */
    static double deviations(double confidence) {
        double low = 0;
        double high = 40;
        for (int i = 0; i < 100; i++) { // bisection: more steps than a double has bits, so exact
            double middle = (low + high) / 2;
            if (within(middle) < confidence) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /**
     * The probability that a normal variate is within {@code deviations} standard deviations of its mean. It is
     * erf(deviations / sqrt(2)), computed by a series or a continued fraction.
     */
    private static double within(double deviations) {
        double x = deviations / Math.sqrt(2);
        if (x < 3) {
            double term = x;
            double sum = x;
            for (int n = 1; n < 200; n++) {
                term *= -x * x / n;
                sum += term / (2 * n + 1);
            }
            return 2 / Math.sqrt(Math.PI) * sum;
        }
        double fraction = 0;
        for (int n = 60; n > 0; n--) {
            fraction = n / 2.0 / (x + fraction);
        }
        return 1 - Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
    }
}
