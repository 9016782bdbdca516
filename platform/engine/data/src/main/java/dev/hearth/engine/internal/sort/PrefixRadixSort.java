package dev.hearth.engine.internal.sort;

/**
 * Stable sort of 64-bit key prefixes, together with the rows: numbers that identify the pairs of the keys in {@link
 * PairBuffers}. Large ranges use radix sort, from the lowest byte on, and skip bytes that are equal in all keys. Medium
 * ranges are distributed over buckets of equal width, recursively, and small ranges use insertion sort. Stateless.
 */
final class PrefixRadixSort {
    private static final int INSERTION_MAX = 24; // largest range for insertion sort
    private static final int BUCKET_BITS_MAX = 11; // more buckets would miss the cache and the TLB
    private static final int BUCKET_ENTRIES_BITS = 2; // about four keys per bucket

    private static final int RADIX_MIN = 4096; // smallest range for radix sort
    private static final int BYTE_VALUES = 256;

    private PrefixRadixSort() {}

    /**
     * Sorts {@code keys}, together with their {@code rows}, from index {@code from} to before {@code until}. The other
     * two arrays are scratch space.
     */
    static void sort(long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until) {
        sort(keys, rows, otherKeys, otherRows, from, until, false);
    }

    /**
     * Sorts {@code keys} and {@code rows} from index {@code from} to before {@code until}. If {@code over}, the result
     * is in {@code otherKeys} and {@code otherRows}, otherwise in {@code keys} and {@code rows}.
     */
    private static void sort(
            long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until, boolean over) {
        if (until - from <= INSERTION_MAX) {
            insertionSort(keys, rows, from, until);
            copyIf(keys, rows, otherKeys, otherRows, from, until, over);
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
            copyIf(keys, rows, otherKeys, otherRows, from, until, over);
            return;
        }
        if (until - from >= RADIX_MIN) {
            boolean isOver = radixSort(keys, rows, otherKeys, otherRows, from, until, least, greatest);
            if (isOver) {
                copyIf(otherKeys, otherRows, keys, rows, from, until, !over);
            } else {
                copyIf(keys, rows, otherKeys, otherRows, from, until, over);
            }
            return;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest - least); // the difference is taken as unsigned
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(until - from) - BUCKET_ENTRIES_BITS;
        int shift = Math.max(0, bits - Math.min(BUCKET_BITS_MAX, wanted));
        int[] ends = distribute(keys, rows, otherKeys, otherRows, from, until, least, shift, greatest);
        for (int bucket = 0, begin = from; bucket < ends.length - 1; bucket++) {
            int end = ends[bucket];
            if (shift == 0) {
                copyIf(otherKeys, otherRows, keys, rows, begin, end, !over);
            } else if (end > begin) {
                sort(otherKeys, otherRows, keys, rows, begin, end, !over);
            }
            begin = end;
        }
    }

    /**
     * Sorts a range by radix sort: by each byte of the difference from {@code least}, the lowest byte first. Returns
     * whether the result is in {@code otherKeys} and {@code otherRows}.
     */
    private static boolean radixSort(
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
            long difference = keys[i] - least;
            for (int[] count : counts) {
                count[(int) difference & 0xFF]++;
                difference >>>= Byte.SIZE;
            }
        }
        boolean over = false;
        for (int digit = 0; digit < counts.length; digit++) {
            if (toStartPositions(counts[digit], from, until)) {
                int shift = digit * Byte.SIZE;
                if (over) {
                    scatter(otherKeys, otherRows, keys, rows, from, until, least, shift, counts[digit]);
                } else {
                    scatter(keys, rows, otherKeys, otherRows, from, until, least, shift, counts[digit]);
                }
                over = !over;
            }
        }
        return over;
    }

    /**
     * Replaces the number of keys with each byte value by the position at which these keys start. Returns false if all
     * keys have the same byte, which the sort can then skip.
     */
    private static boolean toStartPositions(int[] counts, int from, int until) {
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

    private static void scatter(
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

    /**
     * Distributes the keys of a range, with their rows, over buckets in {@code otherKeys} and {@code otherRows}.
     * Returns the index of the end of each bucket, followed by one unused element.
     */
    private static int[] distribute(
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
            ends[bucket] += ends[bucket - 1]; // start of the bucket; the loop below advances it to the bucket's end
        }
        for (int i = from; i < until; i++) {
            int to = ends[(int) ((keys[i] - least) >>> shift)]++;
            otherKeys[to] = keys[i];
            otherRows[to] = rows[i];
        }
        return ends;
    }

    private static void copyIf(
            long[] keys, long[] rows, long[] otherKeys, long[] otherRows, int from, int until, boolean over) {
        if (over) {
            System.arraycopy(keys, from, otherKeys, from, until - from);
            System.arraycopy(rows, from, otherRows, from, until - from);
        }
    }

    private static void insertionSort(long[] keys, long[] rows, int from, int until) {
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
