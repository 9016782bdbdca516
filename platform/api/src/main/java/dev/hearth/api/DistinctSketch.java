package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * About how many different elements were added, in little memory: by hash code, the longest run of zeros in each of many
 * registers. Estimates without tables of corrections, by the distribution of the registers' values.
 * <p>Owned by one task at a time; travels with its registers.
 */
final class DistinctSketch implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int BITS_MIN = 4;
    private static final int BITS_MAX = 20;
    private static final double ERROR_OF_ONE = 1.04; // over the root of the number of registers
    private static final long NULL = 1L << 40; // no hash code

    private final int bits;
    private final byte[] registers;

    private DistinctSketch(int bits) {
        this.bits = bits;
        this.registers = new byte[1 << bits];
    }

    /** An empty one, wrong by about {@code error} in relation to the number. */
    static DistinctSketch of(String operation, double error) {
        double least = ERROR_OF_ONE / Math.sqrt(1 << BITS_MAX);
        if (!(error >= least && error < 1)) {
            throw ArgumentChecks.refused(
                    operation, "relative error " + error + " (expected: " + least + " or more, and below 1)");
        }
        int bits = (int) Math.ceil(2 * Math.log(ERROR_OF_ONE / error) / Math.log(2));
        return new DistinctSketch(Math.max(BITS_MIN, Math.min(BITS_MAX, bits)));
    }

    static <T> AddFunction<DistinctSketch, T> adding() {
        return new Adding<>();
    }

    static ReduceFunction<DistinctSketch> joining() {
        return new Joining();
    }

    static <T> Combiner<T, DistinctSketch> combiner(String operation, double error) {
        return new FromZero<>(of(operation, error), adding(), joining());
    }

    static MapFunction<DistinctSketch, Long> estimating() {
        return new Estimating();
    }

    private record Estimating() implements MapFunction<DistinctSketch, Long> {
        @Override
        public Long apply(DistinctSketch sketch) {
            return sketch.estimate();
        }
    }

    private record Adding<T>() implements AddFunction<DistinctSketch, T> {
        @Override
        public DistinctSketch apply(DistinctSketch sketch, T element) {
            return sketch.add(element);
        }
    }

    private record Joining() implements ReduceFunction<DistinctSketch> {
        @Override
        public DistinctSketch apply(DistinctSketch left, DistinctSketch right) {
            return left.join(right);
        }
    }

    DistinctSketch add(@Nullable Object element) {
        long hash = hash(element);
        int register = (int) (hash >>> (Long.SIZE - bits));
        int zeros = Math.min(Long.numberOfLeadingZeros(hash << bits), Long.SIZE - bits);
        if (registers[register] <= zeros) {
            registers[register] = (byte) (zeros + 1);
        }
        return this;
    }

    DistinctSketch join(DistinctSketch other) {
        for (int i = 0; i < registers.length; i++) {
            registers[i] = (byte) Math.max(registers[i], other.registers[i]);
        }
        return this;
    }

    long estimate() {
        int most = Long.SIZE - bits;
        int[] counts = new int[most + 2]; // of registers, by value
        for (byte register : registers) {
            counts[register]++;
        }
        double m = registers.length;
        double z = m * tau(1 - counts[most + 1] / m);
        for (int value = most; value >= 1; value--) {
            z = (z + counts[value]) / 2;
        }
        z += m * sigma(counts[0] / m);
        return Math.round(m / (2 * Math.log(2)) * m / z);
    }

    /** What empty registers add. */
    private static double sigma(double empty) {
        if (empty == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double x = empty;
        double y = 1;
        double sum = x;
        double before;
        do {
            before = sum;
            x *= x;
            sum += x * y;
            y += y;
        } while (sum != before);
        return sum;
    }

    /** What full registers add. */
    private static double tau(double notFull) {
        if (notFull == 0 || notFull == 1) {
            return 0;
        }
        double x = notFull;
        double y = 1;
        double sum = 1 - x;
        double before;
        do {
            before = sum;
            x = Math.sqrt(x);
            y /= 2;
            sum -= (1 - x) * (1 - x) * y;
        } while (sum != before);
        return sum / 3;
    }

    /** Equal elements have equal ones. Those of texts and numbers have more bits than {@link Object#hashCode}. */
    private static long hash(@Nullable Object element) {
        if (element instanceof Long number) {
            return Seeds.mix(number + 1);
        }
        if (element instanceof Double number) {
            return Seeds.mix(Double.doubleToLongBits(number) + 2);
        }
        if (element instanceof String text) {
            long hash = text.length();
            for (int i = 0; i < text.length(); i++) {
                hash = hash * 0x9E3779B97F4A7C15L + text.charAt(i) + 1;
                hash ^= hash >>> 32;
            }
            return Seeds.mix(hash);
        }
        return Seeds.mix(element == null ? NULL : StableHash.of(element) + 4L);
    }
}
