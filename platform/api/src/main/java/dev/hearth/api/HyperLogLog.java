package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HyperLogLog sketch: estimates the number of distinct elements added. Each register holds the longest run of leading
 * zeros among the hash codes assigned to it. A sparse hash table holds the non-zero registers until a dense array of
 * all registers is not larger than the table. The estimator (Ertl) uses the distribution of the register values and
 * needs no tables for bias correction.
 * <p>Owned by one task at a time; serialised with its registers.
 */
final class HyperLogLog implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int BITS_MIN = 4;
    private static final int BITS_MAX = 32;
    private static final double ERROR_MIN = 0.000017; // as in Spark; an estimate this exact needs BITS_MAX bits
    private static final double ERROR_OF_ONE = 1.04; // the error with n registers is this divided by sqrt(n)
    private static final long NULL = 1L << 40; // stands for null; no int hash code equals it
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int PAGE_BITS = 16;
    private static final int RANK_BITS = 6;
    private static final int TABLE_MIN = 16;

    private final int bits;
    private byte[][] pages = {}; // the dense array of registers; empty while `table` is used
    // Hash table with linear probing: the low bits of an entry are the rank, the others the register number; 0 is free.
    private long[] table = {};
    private int used; // number of entries in the table

    private HyperLogLog(int bits) {
        this.bits = bits;
        resize(TABLE_MIN);
    }

    /** An empty sketch with a relative standard error of about {@code error}. */
    static HyperLogLog of(String operation, double error) {
        if (!(error >= ERROR_MIN && error < 1)) {
            throw ArgumentChecks.refused(
                    operation, "relative error " + error + " (expected: 0.000017 or more, and below 1)");
        }
        int bits = (int) Math.ceil(2 * Math.log(ERROR_OF_ONE / error) / Math.log(2));
        return new HyperLogLog(Math.max(BITS_MIN, Math.min(BITS_MAX, bits)));
    }

    static <T> AddFunction<HyperLogLog, T> adding() {
        return new Adding<>();
    }

    static ReduceFunction<HyperLogLog> joining() {
        return new Joining();
    }

    static <T> Combiner<T, HyperLogLog> combiner(String operation, double error) {
        return new ZeroValueCombiner<>(of(operation, error), adding(), joining());
    }

    static MapFunction<HyperLogLog, Long> estimating() {
        return new Estimating();
    }

    private record Estimating() implements MapFunction<HyperLogLog, Long> {
        @Override
        public Long apply(HyperLogLog sketch) {
            return sketch.estimate();
        }
    }

    private record Adding<T>() implements AddFunction<HyperLogLog, T> {
        @Override
        public HyperLogLog apply(HyperLogLog sketch, T element) {
            return sketch.add(element);
        }
    }

    private record Joining() implements ReduceFunction<HyperLogLog> {
        @Override
        public HyperLogLog apply(HyperLogLog left, HyperLogLog right) {
            return left.join(right);
        }
    }

    HyperLogLog add(@Nullable Object element) {
        long hash = hash(element);
        int zeros = Math.min(Long.numberOfLeadingZeros(hash << bits), Long.SIZE - bits);
        raise(hash >>> (Long.SIZE - bits), zeros + 1);
        return this;
    }

    HyperLogLog join(HyperLogLog other) {
        if (pages.length == 0 && other.pages.length > 0) {
            resize(Integer.MAX_VALUE);
        }
        while (pages.length == 0 && isFull((long) used + other.used)) {
            resize(2 * table.length); // grow before the merge: entries come in hash order and would cluster
        }
        for (long entry : other.table) {
            if (entry != 0) {
                raise(entry >>> RANK_BITS, rank(entry));
            }
        }
        for (int page = 0; page < other.pages.length; page++) {
            byte[] ranks = other.pages[page];
            for (int i = 0; i < ranks.length; i++) {
                if (ranks[i] != 0) {
                    raise(((long) page << PAGE_BITS) + i, ranks[i]);
                }
            }
        }
        return this;
    }

    /** The size of the registers in memory in bytes. */
    long bytes() {
        return pages.length == 0 ? (long) table.length * Long.BYTES : 1L << bits;
    }

    /** Raises a register to {@code rank} if its value is lower. */
    private void raise(long register, int rank) {
        if (pages.length > 0) {
            byte[] page = pages[(int) (register >>> PAGE_BITS)];
            int at = (int) register & (page.length - 1);
            page[at] = (byte) Math.max(page[at], rank);
            return;
        }
        int mask = table.length - 1;
        int at = (int) register & mask; // register numbers need no hashing: they are bits of a hash code
        while (table[at] != 0 && table[at] >>> RANK_BITS != register) {
            at = (at + 1) & mask;
        }
        used += table[at] == 0 ? 1 : 0;
        table[at] = register << RANK_BITS | Math.max(rank(table[at]), rank);
        if (isFull(used)) {
            resize(2 * table.length);
        }
    }

    private boolean isFull(long entries) {
        return entries > table.length - table.length / 4;
    }

    private static int rank(long entry) {
        return (int) entry & ((1 << RANK_BITS) - 1);
    }

    /**
     * Rehashes the registers into a sparse table of {@code entries} entries, or into the dense array if that takes no
     * more memory.
     */
    private void resize(int entries) {
        long[] before = table;
        table = new long[0];
        used = 0;
        if ((long) entries * Long.BYTES < 1L << bits) {
            table = new long[entries];
        } else {
            int pageBits = Math.min(bits, PAGE_BITS);
            pages = new byte[1 << (bits - pageBits)][1 << pageBits];
        }
        for (long entry : before) {
            if (entry != 0) {
                raise(entry >>> RANK_BITS, rank(entry));
            }
        }
    }

    /** The number of registers with each value; the value is the index in the array. */
    private long[] counts() {
        long[] counts = new long[Long.SIZE - bits + 2];
        for (byte[] page : pages) {
            for (byte rank : page) {
                counts[rank]++;
            }
        }
        for (long entry : table) {
            counts[rank(entry)] += entry == 0 ? 0 : 1;
        }
        counts[0] += pages.length == 0 ? (1L << bits) - used : 0;
        return counts;
    }

    long estimate() {
        long[] counts = counts();
        int most = Long.SIZE - bits;
        double m = 1L << bits;
        double z = m * tau(1 - counts[most + 1] / m);
        for (int value = most; value >= 1; value--) {
            z = (z + counts[value]) / 2;
        }
        z += m * sigma(counts[0] / m);
        return Math.round(m / (2 * Math.log(2)) * m / z);
    }

    /** The contribution of empty registers to the estimate (Ertl's sigma). */
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

    /** The contribution of saturated registers to the estimate (Ertl's tau). */
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

    /**
     * A 64-bit hash code, equal for equal elements. Hash codes of strings and numbers, and of pairs and lists of them,
     * use all 64 bits and rarely collide. Those of other elements are computed from their 32-bit
     * {@link Object#hashCode}.
     */
    private static long hash(@Nullable Object element) {
        if (element instanceof Long number) {
            return PartitionSeeds.mix(number + 1);
        }
        if (element instanceof Double number) {
            return PartitionSeeds.mix(Double.doubleToLongBits(number) + 2);
        }
        if (element instanceof String text) {
            long hash = text.length();
            for (int i = 0; i < text.length(); i++) {
                hash = hash * FACTOR + text.charAt(i) + 1;
                hash ^= hash >>> 32;
            }
            return PartitionSeeds.mix(hash);
        }
        if (element instanceof Pair<?, ?> pair) {
            return PartitionSeeds.mix(FACTOR * hash(pair.key()) + hash(pair.value()));
        }
        if (element instanceof List<?> list) {
            long hash = list.size();
            for (Object each : list) {
                hash = FACTOR * hash + hash(each);
            }
            return PartitionSeeds.mix(hash);
        }
        return PartitionSeeds.mix(element == null ? NULL : StableHash.of(element) + 4L);
    }
}
