package dev.hearth.api.accumulator;

/** Accumulation of longs: their sum and their count. */
public final class LongSum implements Accumulation<Long, Long> {
    private static final long serialVersionUID = 1L;

    private long sum;
    private long count;

    @Override
    public LongSum fresh() {
        return new LongSum();
    }

    @Override
    public boolean isEmpty() {
        return count == 0;
    }

    @Override
    public void add(Long element) {
        sum += element;
        count++;
    }

    @Override
    public void merge(Accumulation<Long, Long> other) {
        LongSum part = (LongSum) other;
        sum += part.sum;
        count += part.count;
    }

    @Override
    public Long value() {
        return sum;
    }

    public long count() {
        return count;
    }
}
