package dev.hearth.engine.internal.disk;

/** Where the parts of a file begin and end, in as few bytes as its size allows. Immutable. */
final class SegmentIndex {
    private final int[] shortOffsets;
    private final long[] longOffsets;

    /** {@code offsets} has one more than there are parts: where the last one ends. */
    SegmentIndex(long[] offsets) {
        boolean small = offsets[offsets.length - 1] <= Integer.MAX_VALUE;
        this.longOffsets = small ? new long[0] : offsets.clone();
        this.shortOffsets = new int[small ? offsets.length : 0];
        for (int n = 0; n < shortOffsets.length; n++) {
            shortOffsets[n] = (int) offsets[n];
        }
    }

    int parts() {
        return Math.max(shortOffsets.length, longOffsets.length) - 1;
    }

    /** What it takes in memory. */
    long heldBytes() {
        return (long) Integer.BYTES * shortOffsets.length + (long) Long.BYTES * longOffsets.length;
    }

    /** Where a part begins; that of the number of parts is where the last one ends. */
    long offset(int part) {
        return longOffsets.length == 0 ? shortOffsets[part] : longOffsets[part];
    }

    long bytes(int part) {
        return offset(part + 1) - offset(part);
    }
}
