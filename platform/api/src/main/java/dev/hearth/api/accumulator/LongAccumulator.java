package dev.hearth.api.accumulator;

import org.jspecify.annotations.Nullable;

/**
 * An {@link Accumulator} of longs with their sum, count and average. {@link dev.hearth.api.HearthContext} creates it.
 */
public final class LongAccumulator extends Accumulator<Long, Long> {
    private static final long serialVersionUID = 1L;

    LongAccumulator(long id, String name, LongSum empty, @Nullable LongSum whole) {
        super(id, name, empty, whole);
    }

    /**
     * Adds a number, in a task or on the driver.
     * <pre>{@code LongAccumulator bytes = context.longAccumulator("bytes");
     * lines.foreach(line -> bytes.add(line.length()));}</pre>
     */
    public void add(long number) {
        add(Long.valueOf(number));
    }

    /** The sum so far; call it on the driver. <pre>{@code long sum = context.longAccumulator("bytes").sum();}</pre> */
    public long sum() {
        return value();
    }

    /**
     * The count of numbers added so far; call it on the driver.
     * <pre>{@code long count = context.longAccumulator("bytes").count();}</pre>
     */
    public long count() {
        return read(whole -> ((LongSum) whole).count());
    }

    /**
     * The average so far, NaN if nothing was added; call it on the driver.
     * <pre>{@code double average = context.longAccumulator("bytes").avg();}</pre>
     */
    public double avg() {
        return read(whole -> (double) whole.value() / ((LongSum) whole).count());
    }
}
