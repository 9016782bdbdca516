package dev.hearth.engine.internal.disk;

/** Offsets of the segments of a file, as ints if the file is below 2 GiB. Immutable. */
final class SegmentIndex {
    private final int[] shortOffsets;
    private final long[] longOffsets;

    /** {@code offsets} has one entry more than there are segments: the end of the last one. */
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

    /** Size of this index in memory. */
    long heldBytes() {
        return (long) Integer.BYTES * shortOffsets.length + (long) Long.BYTES * longOffsets.length;
    }

    /** Start of a segment; the offset after the last segment is its end. */
    long offset(int part) {
        return longOffsets.length == 0 ? shortOffsets[part] : longOffsets[part];
    }

    long bytes(int part) {
        return offset(part + 1) - offset(part);
    }
}
