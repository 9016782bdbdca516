package dev.hearth.engine.internal.sort;

/**
 * Sorts rows by comparing what they stand for, by merging. Whatever a comparison answers, even when it contradicts itself, it ends
 * and every row is there once. Keeps the order of equal rows. No state of its own.
 */
public final class RowMergeSort {
    private static final int FEW = 8; // sorted by insertion

    private RowMergeSort() {}

    /** Compares what two rows stand for. */
    public interface RowOrder {
        int compare(long left, long right);
    }

    /** Sorts that part of {@code rows}; {@code other} is written over there. */
    public static void sort(long[] rows, long[] other, int from, int until, RowOrder order) {
        if (until - from <= FEW) {
            insert(rows, from, until, order);
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

    private static void insert(long[] rows, int from, int until, RowOrder order) {
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
