package dev.hearth.engine.internal.scheduler;

/**
 * Histogram of the run times of successful tasks of one task set, and the number of records that these tasks read. The
 * width of a bucket is about three percent of the run time. Owned by {@link TaskSet}; exists only if speculation is
 * enabled.
 */
final class RunTimeHistogram {
    private static final int FINE_BITS = 5;
    private static final int FINE = 1 << FINE_BITS;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final int[] counts = new int[(Long.SIZE - FINE_BITS) * FINE];
    private int size;
    private double records;
    private double seconds;

    void add(long nanos, long recordsRead) {
        counts[position(Math.max(0, nanos))]++;
        size++;
        records += recordsRead;
        seconds += (double) nanos / NANOS_PER_SECOND;
    }

    int size() {
        return size;
    }

    /** Median run time of the successful tasks, in nanoseconds, rounded down to the lower bound of its bucket. */
    long medianNanos() {
        int left = (size + 1) / 2;
        int position = 0;
        while (left > counts[position]) {
            left -= counts[position++];
        }
        return floor(position);
    }

    /** Mean number of records read per second of run time. Returns 0 before any task has succeeded. */
    double recordsPerSecond() {
        return seconds > 0 ? records / seconds : 0;
    }

    private static int position(long nanos) {
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos | 1);
        if (exponent < FINE_BITS) {
            return (int) nanos;
        }
        int shift = exponent - FINE_BITS;
        return (shift + 1) * FINE + (int) ((nanos >>> shift) & (FINE - 1));
    }

    private static long floor(int position) {
        if (position < FINE) {
            return position;
        }
        int shift = position / FINE - 1;
        return (FINE + (long) (position % FINE)) << shift;
    }
}
