package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.memory.TaskMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs that one holder has spilled, in the order in which they were written. Owned by one thread. Merging opens few files at
 * a time, as many as there is memory for their frames: neighbours are merged into one until all can be opened.
 */
final class SpilledHashRuns implements AutoCloseable {
    static final int OPEN_MAX = 64;
    private static final int OPEN_MIN = 8;
    private static final long OPEN_BYTES = 2L * PartitionedFileWriter.FRAME_BYTES; // a frame, and it as it lies on disk

    private final AggregationServices bench;
    private final Spillable frames = wanted -> unbook();
    private List<PartitionedFile> runs = new ArrayList<>();
    private long taken;
    private long unbooked; // of what open files take; at most what the least number of them does

    SpilledHashRuns(AggregationServices bench) {
        this.bench = bench;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    void add(PartitionedFile run) {
        runs.add(run);
    }

    /** Opens them all; who gets it closes it. What it takes is given back when this is closed. */
    HashRunMerge merge() {
        int open = open(runs.size());
        int at = 0; // the next ones to be joined: neighbours, for what came earlier stays before what came later
        while (runs.size() > open) {
            at = at + 1 < runs.size() ? at : 0;
            int several = Math.min(Math.min(open, runs.size() - open + 1), runs.size() - at);
            PartitionedFile joined = join(runs.subList(at, at + several));
            List<PartitionedFile> left = new ArrayList<>(runs.subList(0, at));
            left.add(joined);
            left.addAll(runs.subList(at + several, runs.size()));
            runs = left;
            at++; // the others have their turn before it
        }
        HashRunMerge merge = new HashRunMerge(runs);
        runs = new ArrayList<>();
        return merge;
    }

    private int open(int wanted) {
        TaskMemory memory = bench.memory();
        long bytes = Math.min(wanted, OPEN_MAX) * OPEN_BYTES;
        long got = memory.take(2 * bytes, frames);
        long kept = Math.min(bytes, got / 2); // as much is left to whoever takes what is read
        memory.give(got - kept, frames);
        taken += kept;
        int open = (int) Math.max(OPEN_MIN, kept / OPEN_BYTES);
        unbooked += Math.max(0, open * OPEN_BYTES - kept);
        return open;
    }

    /** Open files cannot be given back half-way, but a few may be open whatever there is: others of the task need their share. */
    private long unbook() {
        long given = Math.max(0, Math.min(taken, OPEN_MIN * OPEN_BYTES - unbooked));
        taken -= given;
        unbooked += given;
        bench.memory().give(given, frames);
        return given;
    }

    private PartitionedFile join(List<PartitionedFile> several) {
        HashRunWriter writer = new HashRunWriter(bench, false); // entries are copied as they are
        try (HashRunMerge merge = new HashRunMerge(several)) {
            while (merge.next()) {
                writer.copy(merge.entry());
            }
            bench.checkKilled(); // before there is a file that nobody knows
            PartitionedFile joined = writer.finish();
            bench.memory().spilled(0, writer.written());
            return joined;
        } finally {
            writer.abandon(); // nothing once it is finished
        }
    }

    @Override
    public void close() {
        runs.forEach(PartitionedFile::delete);
        runs = new ArrayList<>();
        if (taken > 0) {
            bench.memory().give(taken, frames);
            taken = 0;
        }
    }
}
