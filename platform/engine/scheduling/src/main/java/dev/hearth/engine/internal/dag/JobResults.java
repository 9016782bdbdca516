package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records which results of one job were delivered; the results themselves are not stored here. Uses one bit per result.
 * Uses eight bytes more per result, unless the job requests the partitions 0 to n-1 in order. Owned by
 * {@link DagScheduler}, for the lifetime of the job.
 */
final class JobResults implements StageOutput {
    private static final int HALF = Integer.SIZE;

    private final int[] requested;
    // sorted entries: partition in the upper half, result index in the lower half; null if both are always equal
    private final long @Nullable [] byPartition;
    private final BitSet done = new BitSet();
    private int count;

    JobResults(int[] requested) {
        this.requested = requested;
        this.byPartition = isIdentity(requested) ? null : sorted(requested);
    }

    private static boolean isIdentity(int[] requested) {
        for (int i = 0; i < requested.length; i++) {
            if (requested[i] != i) {
                return false;
            }
        }
        return true;
    }

    private static long[] sorted(int[] requested) {
        long[] sorted = new long[requested.length];
        for (int i = 0; i < requested.length; i++) {
            sorted[i] = (long) requested[i] << HALF | i;
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /**
     * Accepts the result of a partition. A job may request a partition several times, and each request has an index.
     * Calls {@code first} with those indexes of the partition that had no result yet. Returns false if all had one.
     */
    boolean accept(int partition, IntConsumer first) {
        int before = count;
        if (byPartition == null) {
            take(partition, first);
        } else {
            int found = Arrays.binarySearch(byPartition, (long) partition << HALF);
            int at = found < 0 ? -found - 1 : found;
            while (at < byPartition.length && byPartition[at] >> HALF == partition) {
                take((int) byPartition[at++], first);
            }
        }
        return count > before;
    }

    private void take(int index, IntConsumer first) {
        if (index < requested.length && !done.get(index)) {
            done.set(index);
            count++;
            first.accept(index);
        }
    }

    @Override
    public boolean isComplete() {
        return count == requested.length;
    }

    @Override
    public int[] missing() {
        int[] missing = new int[requested.length - count];
        int found = 0;
        for (int i = 0; i < requested.length; i++) {
            int index = byPartition == null ? i : (int) byPartition[i];
            int partition = requested[index];
            boolean again = found > 0 && missing[found - 1] == partition;
            if (!done.get(index) && !again) {
                missing[found++] = partition;
            }
        }
        return found == missing.length ? missing : Arrays.copyOf(missing, found);
    }
}
