package dev.hearth.engine.internal.sort;

/**
 * Stable merge sort of rows: numbers that each identify an object, such as a pair in {@link PairBuffers}. Compares the
 * rows by a {@link RowOrder}. Even if the comparison is inconsistent, the sort ends and keeps every row exactly once.
 * Stateless.
 */
public final class RowMergeSort {
    private static final int INSERTION_MAX = 8; // largest range for insertion sort

    private RowMergeSort() {}

    /** Order of rows. It compares the objects that two rows identify, for example the keys of two pairs. */
    public interface RowOrder {
        int compare(long left, long right);
    }

    /**
     * Sorts {@code rows} from index {@code from} to before index {@code until}; the array {@code other} is scratch
     * space.
     */
    public static void sort(long[] rows, long[] other, int from, int until, RowOrder order) {
        if (until - from <= INSERTION_MAX) {
            insertionSort(rows, from, until, order);
            return;
        }
        int middle = (from + until) >>> 1;
        sort(rows, other, from, middle, order);
        sort(rows, other, middle, until, order);
        if (order.compare(rows[middle - 1], rows[middle]) > 0) {
            merge(rows, other, from, middle, until, order);
        }
    }

    private static void merge(long[] rows, long[] other, int from, int middle, int until, RowOrder order) {
        System.arraycopy(rows, from, other, from, middle - from);
        int left = from;
        int right = middle;
        int to = from;
        while (left < middle && right < until) {
            rows[to++] = order.compare(rows[right], other[left]) < 0 ? rows[right++] : other[left++];
        }
        System.arraycopy(other, left, rows, to, middle - left);
    }

    private static void insertionSort(long[] rows, int from, int until, RowOrder order) {
        for (int i = from + 1; i < until; i++) {
            long row = rows[i];
            int to = i;
            while (to > from && order.compare(rows[to - 1], row) > 0) {
                rows[to] = rows[to - 1];
                to--;
            }
            rows[to] = row;
        }
    }
}
