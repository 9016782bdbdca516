package dev.hearth.engine.internal.sort;

/**
 * Sorts strings by 64-bit prefixes of their first characters, and strings of equal prefix by the prefixes of the
 * following characters. Compares whole strings where prefixes do not decide the order.
 */
final class StringPrefixSort {
    private static final int COMPARED_MAX = 32; // largest range in which whole strings are compared
    private static final int LEVELS_MAX = 8; // strings equal in more prefixes are compared whole

    private final StringPrefixes order;
    private final boolean wide;
    private final boolean descending;
    private final long[] prefixes;
    private final long[] rows;
    private final long[] otherPrefixes;
    private final long[] otherRows;

    StringPrefixSort(
            StringPrefixes order,
            boolean wide,
            boolean descending,
            long[] prefixes,
            long[] rows,
            long[] otherPrefixes,
            long[] otherRows) {
        this.order = order;
        this.wide = wide;
        this.descending = descending;
        this.prefixes = prefixes;
        this.rows = rows;
        this.otherPrefixes = otherPrefixes;
        this.otherRows = otherRows;
    }

    void sort(int size) {
        sort(0, size, 0);
    }

    private void sort(int from, int until, int level) {
        for (int i = from; i < until; i++) {
            prefixes[i] = order.prefix(rows[i], level * StringPrefixes.chars(wide), wide, descending);
        }
        PrefixRadixSort.sort(prefixes, rows, otherPrefixes, otherRows, from, until);
        for (int begin = from; begin < until; ) {
            long prefix = prefixes[begin];
            int end = begin + 1;
            while (end < until && prefixes[end] == prefix) {
                end++;
            }
            if (end - begin > 1) {
                if (end - begin <= COMPARED_MAX
                        || level == LEVELS_MAX
                        || StringPrefixes.isInconclusive(prefix, wide, descending)) {
                    RowMergeSort.sort(rows, otherRows, begin, end, this::compare);
                } else {
                    sort(begin, end, level + 1);
                }
            }
            begin = end;
        }
    }

    private int compare(long left, long right) {
        return descending ? order.compare(right, left) : order.compare(left, right);
    }
}
