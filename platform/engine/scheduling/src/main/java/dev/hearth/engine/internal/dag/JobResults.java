package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which results of one job are there, in whatever order they come. Owned by the stage scheduler, lives as long as the job.
 * <p>A bit per result; where the job wants other partitions than 0 to n-1 in order, eight bytes per result beside it.
 */
final class JobResults implements StageOutput {
    private static final int HALF = Integer.SIZE;

    private final int[] wanted;
    private final long @Nullable []
            byPartition; // partition in the upper half, index in the lower; null when they are equal
    private final BitSet done = new BitSet();
    private int count;

    JobResults(int[] wanted) {
        this.wanted = wanted;
        this.byPartition = isPlain(wanted) ? null : sorted(wanted);
    }

    private static boolean isPlain(int[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] != i) {
                return false;
            }
        }
        return true;
    }

    private static long[] sorted(int[] wanted) {
        long[] sorted = new long[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            sorted[i] = (long) wanted[i] << HALF | i;
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /** Takes the result of a partition, and tells each index that it is the first result for; false when there is none. */
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
        if (index < wanted.length && !done.get(index)) {
            done.set(index);
            count++;
            first.accept(index);
        }
    }

    @Override
    public boolean isComplete() {
        return count == wanted.length;
    }

    @Override
    public int[] missing() {
        int[] missing = new int[wanted.length - count];
        int found = 0;
        for (int i = 0; i < wanted.length; i++) {
            int index = byPartition == null ? i : (int) byPartition[i];
            int partition = wanted[index];
            boolean again = found > 0 && missing[found - 1] == partition;
            if (!done.get(index) && !again) {
                missing[found++] = partition;
            }
        }
        return found == missing.length ? missing : Arrays.copyOf(missing, found);
    }
}
