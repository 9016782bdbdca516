package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.memory.TaskMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs (sorted spill files) of one aggregation, in the order of writing. Owned by one thread. A merge opens only as
 * many runs as memory allows, because each open file needs a buffer. If there are more runs, neighbouring runs are
 * merged into one first.
 */
final class SpilledHashRuns implements AutoCloseable {
    static final int OPEN_MAX = 64;
    private static final int OPEN_MIN = 8;
    // buffers of one open file: a frame and its compressed form
    private static final long OPEN_BYTES = 2L * PartitionedFileWriter.FRAME_BYTES;

    private final AggregationServices services;
    private final Spillable frames = wanted -> releaseFrames();
    private List<PartitionedFile> runs = new ArrayList<>();
    private long reserved;
    private long unreserved; // bytes of buffers that have no reservation; at most those of OPEN_MIN files

    SpilledHashRuns(AggregationServices services) {
        this.services = services;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    void add(PartitionedFile run) {
        runs.add(run);
    }

    /**
     * Opens a merge of all runs, which the caller must close. The memory for the merge's buffers is released only when
     * this {@code SpilledHashRuns} is closed.
     */
    HashRunMerge merge() {
        int openMax = reserveFrames(runs.size());
        // first of the next runs to merge into one; only neighbours are merged, to keep the order of writing
        int index = 0;
        while (runs.size() > openMax) {
            index = index + 1 < runs.size() ? index : 0;
            int count = Math.min(Math.min(openMax, runs.size() - openMax + 1), runs.size() - index);
            PartitionedFile mergedRun = mergeIntoOne(runs.subList(index, index + count));
            List<PartitionedFile> remaining = new ArrayList<>(runs.subList(0, index));
            remaining.add(mergedRun);
            remaining.addAll(runs.subList(index + count, runs.size()));
            runs = remaining;
            index++; // merge the other runs first, before this merged run is merged again
        }
        HashRunMerge merge = new HashRunMerge(runs);
        runs = new ArrayList<>();
        return merge;
    }

    private int reserveFrames(int wanted) {
        TaskMemory memory = services.memory();
        long bytes = Math.min(wanted, OPEN_MAX) * OPEN_BYTES;
        long got = memory.take(2 * bytes, frames);
        long retained = Math.min(bytes, got / 2); // the other half is left for the reader of the merged entries
        memory.give(got - retained, frames);
        reserved += retained;
        int open = (int) Math.max(OPEN_MIN, retained / OPEN_BYTES);
        unreserved += Math.max(0, open * OPEN_BYTES - retained);
        return open;
    }

    /**
     * Releases the reservation for a few open files, because another consumer of the task needs memory. The files stay
     * open, because a merge in progress needs them.
     */
    private long releaseFrames() {
        long released = Math.max(0, Math.min(reserved, OPEN_MIN * OPEN_BYTES - unreserved));
        reserved -= released;
        unreserved += released;
        services.memory().give(released, frames);
        return released;
    }

    private PartitionedFile mergeIntoOne(List<PartitionedFile> batch) {
        // the writer adds no sequence numbers, because entries are copied unchanged
        HashRunWriter writer = new HashRunWriter(services, false);
        try (HashRunMerge merge = new HashRunMerge(batch)) {
            while (merge.next()) {
                writer.copy(merge.entry());
            }
            services.checkKilled(); // check before finish(), because abandon() would not delete a finished file
            PartitionedFile mergedRun = writer.finish();
            services.memory().spilled(0, writer.written());
            return mergedRun;
        } finally {
            writer.abandon(); // does nothing after finish
        }
    }

    @Override
    public void close() {
        runs.forEach(PartitionedFile::delete);
        runs = new ArrayList<>();
        if (reserved > 0) {
            services.memory().give(reserved, frames);
            reserved = 0;
        }
    }
}
