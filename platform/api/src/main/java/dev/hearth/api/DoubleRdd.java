package dev.hearth.api;

import dev.hearth.api.function.FilterFunction;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** A dataset of numbers. */
public interface DoubleRdd extends Rdd<Double> {
    /** What the numbers are like. <pre>{@code Statistics all = doubles.stats();}</pre> */
    default Statistics stats() {
        return evaluate(new Describing()).stream().reduce(Statistics.NONE, Statistics::join);
    }

    /** The sum, 0 of nothing. <pre>{@code double all = doubles.sum();}</pre> */
    default double sum() {
        return fold(0.0, Double::sum);
    }

    /** The mean; not a number where there are none. <pre>{@code double mean = doubles.mean();}</pre> */
    default double mean() {
        Statistics stats = stats();
        return stats.count() == 0 ? Double.NaN : stats.mean();
    }

    /** The least number; refuses an empty dataset. <pre>{@code double least = doubles.min();}</pre> */
    default double min() {
        return reduce(Math::min);
    }

    /** The largest number; refuses an empty dataset. <pre>{@code double largest = doubles.max();}</pre> */
    default double max() {
        return reduce(Math::max);
    }

    /** Of the numbers as all there are. <pre>{@code double spread = doubles.variance();}</pre> */
    default double variance() {
        return stats().variance();
    }

    /** As {@link #variance}. <pre>{@code double spread = doubles.popVariance();}</pre> */
    default double popVariance() {
        return variance();
    }

    /** Of the numbers as a sample of more. <pre>{@code double spread = doubles.sampleVariance();}</pre> */
    default double sampleVariance() {
        return stats().sampleVariance();
    }

    /** The square root of {@link #variance}. <pre>{@code double spread = doubles.stdev();}</pre> */
    default double stdev() {
        return stats().deviation();
    }

    /** As {@link #stdev}. <pre>{@code double spread = doubles.popStdev();}</pre> */
    default double popStdev() {
        return stdev();
    }

    /** The square root of {@link #sampleVariance}. <pre>{@code double spread = doubles.sampleStdev();}</pre> */
    default double sampleStdev() {
        return stats().sampleDeviation();
    }

    /** The mean, as far as it is known after {@code timeout}. <pre>{@code doubles.meanApprox(Duration.ofSeconds(1));}</pre> */
    default PartialResult<Estimate> meanApprox(Duration timeout) {
        return meanApprox(timeout, 0.95);
    }

    /** As the other, with a confidence from 0 to 1. <pre>{@code doubles.meanApprox(Duration.ofSeconds(1), 0.9);}</pre> */
    default PartialResult<Estimate> meanApprox(Duration timeout, double confidence) {
        return approximate(new Describing(), Estimates.mean("meanApprox", confidence), timeout);
    }

    /** The sum, as far as it is known after {@code timeout}. <pre>{@code doubles.sumApprox(Duration.ofSeconds(1));}</pre> */
    default PartialResult<Estimate> sumApprox(Duration timeout) {
        return sumApprox(timeout, 0.95);
    }

    /** As the other, with a confidence from 0 to 1. <pre>{@code doubles.sumApprox(Duration.ofSeconds(1), 0.9);}</pre> */
    default PartialResult<Estimate> sumApprox(Duration timeout, double confidence) {
        return approximate(new Describing(), Estimates.sum("sumApprox", confidence), timeout);
    }

    /** Counts in so many equally wide ranges from the least to the largest number. <pre>{@code Histogram ten = doubles.histogram(10);}</pre> */
    default Histogram histogram(int ranges) {
        return Ranges.histogram(this, ranges);
    }

    /** How many numbers are in each range: from one bound up to the next, the last bound too. <pre>{@code long[] found = doubles.histogram(0, 10, 20);}</pre> */
    default long[] histogram(double... bounds) {
        return Ranges.counts(this, bounds);
    }

    /** As the other; {@code even}: the bounds are equally far apart, so that a range is computed and not looked for. <pre>{@code long[] found = doubles.histogram(new double[] {0, 10, 20}, true);}</pre> */
    default long[] histogram(double[] bounds, boolean even) {
        return even ? Ranges.evenCounts(this, bounds) : Ranges.counts(this, bounds);
    }

    @Override
    DoubleRdd named(String name);

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
        return distinct(Defaults.partitions(this));
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
        return subtract(other, Defaults.partitions(this));
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
