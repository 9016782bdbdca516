package dev.hearth.api.accumulator;

/** Accumulation of doubles: their sum and their count. */
public final class DoubleSum implements Accumulation<Double, Double> {
    private static final long serialVersionUID = 1L;

    private double sum;
    private long count;

    @Override
    public DoubleSum fresh() {
        return new DoubleSum();
    }

    @Override
    public boolean isEmpty() {
        return count == 0;
    }

    @Override
    public void add(Double element) {
        sum += element;
        count++;
    }

    @Override
    public void merge(Accumulation<Double, Double> other) {
        DoubleSum part = (DoubleSum) other;
        sum += part.sum;
        count += part.count;
    }

    @Override
    public Double value() {
        return sum;
    }

    public long count() {
        return count;
    }
}
