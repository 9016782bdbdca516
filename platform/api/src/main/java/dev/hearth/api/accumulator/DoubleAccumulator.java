package dev.hearth.api.accumulator;

import org.jspecify.annotations.Nullable;

/**
 * An {@link Accumulator} of doubles with their sum, count and average. {@link dev.hearth.api.HearthContext} creates it.
 */
public final class DoubleAccumulator extends Accumulator<Double, Double> {
    private static final long serialVersionUID = 1L;

    DoubleAccumulator(long id, String name, DoubleSum empty, @Nullable DoubleSum whole) {
        super(id, name, empty, whole);
    }

    /**
     * Adds a number, in a task or on the driver.
     * <pre>{@code DoubleAccumulator weight = context.doubleAccumulator("weight");
     * numbers.foreach(number -> weight.add(number / 2.0));}</pre>
     */
    public void add(double number) {
        add(Double.valueOf(number));
    }

    /**
     * The sum so far; call it on the driver.
     * <pre>{@code double sum = context.doubleAccumulator("weight").sum();}</pre>
     */
    public double sum() {
        return value();
    }

    /**
     * The count of numbers added so far; call it on the driver.
     * <pre>{@code long count = context.doubleAccumulator("weight").count();}</pre>
     */
    public long count() {
        return read(whole -> ((DoubleSum) whole).count());
    }

    /**
     * The average so far, NaN if nothing was added; call it on the driver.
     * <pre>{@code double average = context.doubleAccumulator("weight").avg();}</pre>
     */
    public double avg() {
        return read(whole -> (double) whole.value() / ((DoubleSum) whole).count());
    }
}
