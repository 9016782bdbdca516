package dev.hearth.engine.internal.sort;

/**
 * Sorts numbers, each with a row that goes along, by spreading them over buckets of equal width between the least and the
 * greatest, again within each bucket, and by insertion where few are left. Keeps the order of equal numbers. No state of its own.
 */
final class PrefixSort {
    private static final int FEW = 24; // sorted by insertion
    private static final int BUCKET_BITS_MAX = 11; // more miss the cache, and the addresses the processor keeps
    private static final int BUCKET_ENTRIES_BITS = 2; // a bucket is to hold about four

    private PrefixSort() {}

    /** Sorts that part of {@code keys} and {@code rows}; the other two are written over there. */
    static void sort(long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until) {
        sort(keys, rows, otherKeys, otherRows, from, until, false);
    }

    /** Leaves the result in the other arrays when {@code over}. */
    private static void sort(
            long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until, boolean over) {
        if (until - from <= FEW) {
            insert(keys, rows, from, until);
            moveOver(keys, rows, otherKeys, otherRows, from, until, over);
            return;
        }
        long least = keys[from];
        long greatest = least;
        boolean sorted = true;
        for (int i = from + 1; i < until; i++) {
            long key = keys[i];
            sorted &= key >= keys[i - 1];
            least = Math.min(least, key);
            greatest = Math.max(greatest, key);
        }
        if (sorted) {
            moveOver(keys, rows, otherKeys, otherRows, from, until, over);
            return;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest - least); // taken as unsigned
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(until - from) - BUCKET_ENTRIES_BITS;
        int shift = Math.max(0, bits - Math.min(BUCKET_BITS_MAX, wanted));
        int[] ends = spread(keys, rows, otherKeys, otherRows, from, until, least, shift, greatest);
        for (int bucket = 0, begin = from; bucket < ends.length - 1; bucket++) {
            int end = ends[bucket];
            if (shift == 0) {
                moveOver(otherKeys, otherRows, keys, rows, begin, end, !over);
            } else if (end > begin) {
                sort(otherKeys, otherRows, keys, rows, begin, end, !over);
            }
            begin = end;
        }
    }

    /** Moves all to their buckets in the other arrays; returns where each bucket ends, and one number more. */
    private static int[] spread(
            long[] keys,
            long[] rows,
            long[] otherKeys,
            long[] otherRows,
            int from,
            int until,
            long least,
            int shift,
            long greatest) {
        int[] ends = new int[(int) ((greatest - least) >>> shift) + 2];
        for (int i = from; i < until; i++) {
            ends[(int) ((keys[i] - least) >>> shift) + 1]++;
        }
        ends[0] = from;
        for (int bucket = 1; bucket < ends.length; bucket++) {
            ends[bucket] += ends[bucket - 1]; // where the bucket begins, which moves to its end
        }
        for (int i = from; i < until; i++) {
            int to = ends[(int) ((keys[i] - least) >>> shift)]++;
            otherKeys[to] = keys[i];
            otherRows[to] = rows[i];
        }
        return ends;
    }

    private static void moveOver(
            long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until, boolean over) {
        if (over) {
            System.arraycopy(keys, from, otherKeys, from, until - from);
            System.arraycopy(rows, from, otherRows, from, until - from);
        }
    }

    private static void insert(long[] keys, long[] rows, int from, int until) {
        for (int i = from + 1; i < until; i++) {
            long key = keys[i];
            long row = rows[i];
            int to = i;
            while (to > from && keys[to - 1] > key) {
                keys[to] = keys[to - 1];
                rows[to] = rows[to - 1];
                to--;
            }
            keys[to] = key;
            rows[to] = row;
        }
    }
}
