package dev.hearth.api;

import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.resource.ResourceProfile;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** A dataset of numbers, with statistics and histograms. */
public interface DoubleRdd extends Rdd<Double> {
    /**
     * Computes count, mean, variance, minimum and maximum in one job.
     * <pre>{@code Statistics all = doubles.stats();}</pre>
     */
    default Statistics stats() {
        return evaluate(new StatisticsFunction()).stream().reduce(Statistics.NONE, Statistics::join);
    }

    /** The sum of the numbers; 0 for an empty dataset. <pre>{@code double all = doubles.sum();}</pre> */
    default double sum() {
        return fold(0.0, Double::sum);
    }

    /** The mean of the numbers; NaN for an empty dataset. <pre>{@code double mean = doubles.mean();}</pre> */
    default double mean() {
        Statistics stats = stats();
        return stats.count() == 0 ? Double.NaN : stats.mean();
    }

    /**
     * The smallest number; throws {@link HearthException} for an empty dataset.
     * <pre>{@code double least = doubles.min();}</pre>
     */
    default double min() {
        return reduce(Math::min);
    }

    /**
     * The largest number; throws {@link HearthException} for an empty dataset.
     * <pre>{@code double largest = doubles.max();}</pre>
     */
    default double max() {
        return reduce(Math::max);
    }

    /** The population variance. <pre>{@code double spread = doubles.variance();}</pre> */
    default double variance() {
        return stats().variance();
    }

    /** Same as {@link #variance}. <pre>{@code double spread = doubles.popVariance();}</pre> */
    default double popVariance() {
        return variance();
    }

    /** The sample variance, which divides by n - 1. <pre>{@code double spread = doubles.sampleVariance();}</pre> */
    default double sampleVariance() {
        return stats().sampleVariance();
    }

    /**
     * The population standard deviation: the square root of {@link #variance}.
     * <pre>{@code double spread = doubles.stdev();}</pre>
     */
    default double stdev() {
        return stats().deviation();
    }

    /** Same as {@link #stdev}. <pre>{@code double spread = doubles.popStdev();}</pre> */
    default double popStdev() {
        return stdev();
    }

    /**
     * The sample standard deviation: the square root of {@link #sampleVariance}.
     * <pre>{@code double spread = doubles.sampleStdev();}</pre>
     */
    default double sampleStdev() {
        return stats().sampleDeviation();
    }

    /**
     * The mean, estimated from the tasks that finish within {@code timeout}, with confidence 0.95.
     * <pre>{@code doubles.meanApprox(Duration.ofSeconds(1));}</pre>
     */
    default PartialResult<Estimate> meanApprox(Duration timeout) {
        return meanApprox(timeout, 0.95);
    }

    /**
     * As {@link #meanApprox(Duration)}, with {@code confidence} from 0 to 1 instead of 0.95.
     * <pre>{@code doubles.meanApprox(Duration.ofSeconds(1), 0.9);}</pre>
     */
    default PartialResult<Estimate> meanApprox(Duration timeout, double confidence) {
        return approximate(new StatisticsFunction(), BoundedEstimates.mean("meanApprox", confidence), timeout);
    }

    /**
     * The sum, estimated from the tasks that finish within {@code timeout}, with confidence 0.95.
     * <pre>{@code doubles.sumApprox(Duration.ofSeconds(1));}</pre>
     */
    default PartialResult<Estimate> sumApprox(Duration timeout) {
        return sumApprox(timeout, 0.95);
    }

    /**
     * As {@link #sumApprox(Duration)}, with {@code confidence} from 0 to 1 instead of 0.95.
     * <pre>{@code doubles.sumApprox(Duration.ofSeconds(1), 0.9);}</pre>
     */
    default PartialResult<Estimate> sumApprox(Duration timeout, double confidence) {
        return approximate(new StatisticsFunction(), BoundedEstimates.sum("sumApprox", confidence), timeout);
    }

    /**
     * A histogram of {@code ranges} equally wide ranges from the smallest to the largest number.
     * <pre>{@code Histogram ten = doubles.histogram(10);}</pre>
     */
    default Histogram histogram(int ranges) {
        return HistogramFunction.histogram(this, ranges);
    }

    /**
     * Counts the numbers in each range from one bound (inclusive) to the next (exclusive); the last range includes
     * its upper bound.
     * <pre>{@code long[] found = doubles.histogram(0, 10, 20);}</pre>
     */
    default long[] histogram(double... bounds) {
        return HistogramFunction.counts(this, bounds);
    }

    /**
     * As {@link #histogram(double...)}; {@code even} states that all ranges are equally wide, so that a division finds
     * the range of a number instead of a binary search.
     * <pre>{@code long[] found = doubles.histogram(new double[] {0, 10, 20}, true);}</pre>
     */
    default long[] histogram(double[] bounds, boolean even) {
        return even ? HistogramFunction.evenCounts(this, bounds) : HistogramFunction.counts(this, bounds);
    }

    @Override
    DoubleRdd named(String name);

    @Override
    DoubleRdd withResources(ResourceProfile profile);

    @Override
    DoubleRdd persist(StorageLevel level);

    @Override
    DoubleRdd unpersist(boolean blocking);

    @Override
    DoubleRdd filter(FilterFunction<? super Double> function);

    @Override
    DoubleRdd coalesce(int partitions);

    @Override
    default DoubleRdd cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }

    @Override
    default DoubleRdd unpersist() {
        return unpersist(false);
    }

    @Override
    default DoubleRdd distinct() {
        return distinct(DefaultPartitioning.partitions(this));
    }

    @Override
    default DoubleRdd distinct(int partitions) {
        return context().doubles(Rdd.super.distinct(partitions));
    }

    @Override
    default DoubleRdd union(Rdd<? extends Double> other) {
        return context().doubles(Rdd.super.union(other));
    }

    @Override
    default DoubleRdd intersection(Rdd<Double> other) {
        return context().doubles(Rdd.super.intersection(other));
    }

    @Override
    default DoubleRdd intersection(Rdd<Double> other, int partitions) {
        return context().doubles(Rdd.super.intersection(other, partitions));
    }

    @Override
    default DoubleRdd subtract(Rdd<Double> other) {
        return subtract(other, DefaultPartitioning.partitions(this));
    }

    @Override
    default DoubleRdd subtract(Rdd<Double> other, int partitions) {
        return context().doubles(Rdd.super.subtract(other, partitions));
    }

    @Override
    default DoubleRdd subtract(Rdd<Double> other, Partitioner partitioner) {
        return context().doubles(Rdd.super.subtract(other, partitioner));
    }

    @Override
    default DoubleRdd coalesce(int partitions, boolean shuffle) {
        return shuffle ? repartition(partitions) : coalesce(partitions);
    }

    @Override
    default DoubleRdd repartition(int partitions) {
        return context().doubles(Rdd.super.repartition(partitions));
    }

    @Override
    default DoubleRdd sample(boolean withReplacement, double fraction) {
        return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
    }

    @Override
    default DoubleRdd sample(boolean withReplacement, double fraction, long seed) {
        return context().doubles(Rdd.super.sample(withReplacement, fraction, seed));
    }
}
