package dev.hearth.engine.internal.disk;

/**
 * Offsets of the segments of a file. They are stored as ints if the file is smaller than 2 GiB, to save memory.
 * Immutable.
 */
final class SegmentIndex {
    private final int[] shortOffsets;
    private final long[] longOffsets;

    /**
     * Creates an index. {@code offsets} has the offset of the start of each segment, followed by the offset of the end
     * of the last segment.
     */
    SegmentIndex(long[] offsets) {
        boolean small = offsets[offsets.length - 1] <= Integer.MAX_VALUE;
        this.longOffsets = small ? new long[0] : offsets.clone();
        this.shortOffsets = new int[small ? offsets.length : 0];
        for (int n = 0; n < shortOffsets.length; n++) {
            shortOffsets[n] = (int) offsets[n];
        }
    }

    int segments() {
        return Math.max(shortOffsets.length, longOffsets.length) - 1;
    }

    /** Size in bytes of this index in memory. */
    long heldBytes() {
        return (long) Integer.BYTES * shortOffsets.length + (long) Long.BYTES * longOffsets.length;
    }

    /**
     * Returns the offset at which the segment {@code part} starts. If {@code part} is the number of segments, returns
     * the end of the last segment.
     */
    long offset(int part) {
        return longOffsets.length == 0 ? shortOffsets[part] : longOffsets[part];
    }

    long bytes(int part) {
        return offset(part + 1) - offset(part);
    }
}
