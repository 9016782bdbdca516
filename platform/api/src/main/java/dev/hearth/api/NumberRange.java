package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;

/**
 * Generates, for each of {@code partitions} partitions, its part of a range. The range has {@code count} numbers:
 * {@code from} and further numbers in steps of {@code step}.
 */
record NumberRange(long from, long step, long count, int partitions)
        implements IndexedPartitionFunction<Integer, Long> {
    static NumberRange of(long from, long until, long step, int partitions) {
        if (step == 0) {
            throw ArgumentChecks.refused("range", "step 0 (expected: a number other than 0)");
        }
        BigInteger length = BigInteger.valueOf(until).subtract(BigInteger.valueOf(from));
        BigInteger[] steps = length.divideAndRemainder(BigInteger.valueOf(step));
        BigInteger count = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
        if (length.signum() != Long.signum(step)) {
            count = BigInteger.ZERO;
        }
        if (count.bitLength() >= Long.SIZE) {
            throw ArgumentChecks.refused("range", count + " numbers (expected: " + Long.MAX_VALUE + " at most)");
        }
        return new NumberRange(from, step, count.longValue(), partitions);
    }

    Rdd<Long> in(HearthContext context) {
        return context.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
                .mapPartitionsWithIndex(this);
    }

    @Override
    public Iterator<Long> apply(int partition, Iterator<Integer> nothing) {
        long first = numbersBefore(partition);
        long end = numbersBefore(partition + 1);
        return new Iterator<>() {
            private long next = first;

            @Override
            public boolean hasNext() {
                return next < end;
            }

            @Override
            public Long next() {
                if (next >= end) {
                    throw new NoSuchElementException("range: no more numbers");
                }
                return from + next++ * step;
            }
        };
    }

    /** The total count of numbers in the partitions 0 to {@code partition} - 1. */
    private long numbersBefore(int partition) {
        return BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(partition))
                .divide(BigInteger.valueOf(partitions))
                .longValue();
    }
}
