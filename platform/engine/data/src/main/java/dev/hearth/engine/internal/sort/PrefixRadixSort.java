package dev.hearth.engine.internal.sort;

/**
 * Sorts numbers, each with a row that goes along: many by one byte after the other from the last, passing over those that are
 * alike; fewer by spreading them over buckets of equal width, and each bucket again; a few by insertion. Keeps the order of equal
 * numbers. No state of its own.
 */
final class PrefixRadixSort {
    private static final int FEW = 24; // sorted by insertion
    private static final int BUCKET_BITS_MAX = 11; // more miss the cache, and the addresses the processor keeps
    private static final int BUCKET_ENTRIES_BITS = 2; // a bucket is to hold about four

    private static final int MANY = 4096; // counting every byte pays from here on
    private static final int BYTE_VALUES = 256;

    private PrefixRadixSort() {}

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
        if (until - from >= MANY) {
            boolean isOver = sortBytes(keys, rows, otherKeys, otherRows, from, until, least, greatest);
            if (isOver) {
                moveOver(otherKeys, otherRows, keys, rows, from, until, !over);
            } else {
                moveOver(keys, rows, otherKeys, otherRows, from, until, over);
            }
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

    /** Sorts by the bytes of what each is more than the least; returns whether the result lies in the other arrays. */
    private static boolean sortBytes(
            long[] keys,
            long[] rows,
            long[] otherKeys,
            long[] otherRows,
            int from,
            int until,
            long least,
            long greatest) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest - least);
        int[][] counts = new int[(bits + Byte.SIZE - 1) / Byte.SIZE][BYTE_VALUES];
        for (int i = from; i < until; i++) {
            long more = keys[i] - least;
            for (int[] count : counts) {
                count[(int) more & 0xFF]++;
                more >>>= Byte.SIZE;
            }
        }
        boolean over = false;
        for (int digit = 0; digit < counts.length; digit++) {
            if (begin(counts[digit], from, until)) {
                int shift = digit * Byte.SIZE;
                if (over) {
                    move(otherKeys, otherRows, keys, rows, from, until, least, shift, counts[digit]);
                } else {
                    move(keys, rows, otherKeys, otherRows, from, until, least, shift, counts[digit]);
                }
                over = !over;
            }
        }
        return over;
    }

    /** Makes of counts where each value begins; false when all have one value. */
    private static boolean begin(int[] counts, int from, int until) {
        int next = from;
        for (int value = 0; value < counts.length; value++) {
            int count = counts[value];
            if (count == until - from) {
                return false;
            }
            counts[value] = next;
            next += count;
        }
        return true;
    }

    private static void move(
            long[] keys,
            long[] rows,
            long[] toKeys,
            long[] toRows,
            int from,
            int until,
            long least,
            int shift,
            int[] places) {
        for (int i = from; i < until; i++) {
            long key = keys[i];
            int to = places[(int) ((key - least) >>> shift) & 0xFF]++;
            toKeys[to] = key;
            toRows[to] = rows[i];
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
