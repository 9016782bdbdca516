package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Spilled runs of one sort, each a sorted file. Writes them, merges many into few, and deletes them. Owned by the sort.
 */
final class SpilledSortedRuns {
    /** Upper bound on the number of runs (sorted spill files) that one merge reads at once. */
    static final int MERGED_MAX = 64;

    /** Bytes of memory that are reserved for the buffers of each run that a merge reads. */
    static final long INPUT_BYTES = 256 * 1024;

    private final SortServices services;
    private final SortOrder order;
    private final RecordFormat.Reader reader;
    private final String subject;
    private final List<PartitionedFile> runs = new ArrayList<>(); // runs in the order in which they were written

    SpilledSortedRuns(SortServices services, SortOrder order, RecordFormat.Reader reader, String subject) {
        this.services = services;
        this.order = order;
        this.reader = reader;
        this.subject = subject;
    }

    /** Size on disk, in bytes, of a run (a sorted spill file). */
    static long bytes(PartitionedFile run) {
        return run.bytes(SortedRunWriter.KEYED) + run.bytes(SortedRunWriter.NULLS);
    }

    int count() {
        return runs.size();
    }

    /**
     * Writes a sorted in-memory run to a new file, without the pairs that the sort has already returned. These are the
     * first {@code passed} pairs with a non-null key, and the first {@code passedNulls} pairs with a null key.
     */
    PartitionedFile write(InMemoryRun run, int passed, int passedNulls) {
        SortedRunWriter writer = new SortedRunWriter(services, subject);
        try {
            run.writeTo(writer, passed, passedNulls);
            PartitionedFile segment = writer.finish();
            runs.add(segment);
            return segment;
        } finally {
            writer.abandon();
        }
    }

    /**
     * Merges runs until at most {@code most} are left. Only neighbouring runs are merged, so that pairs of equal keys
     * stay in the order of arrival.
     */
    void mergeDown(int most, SortKeyKind kind) {
        int index = 0;
        while (runs.size() > most) {
            index = index + 1 < runs.size() ? index : 0;
            int count = Math.max(2, Math.min(most, runs.size() - most + 1));
            List<PartitionedFile> inputs = List.copyOf(runs.subList(index, Math.min(runs.size(), index + count)));
            SortedRunWriter writer = new SortedRunWriter(services, subject);
            List<SortedCursor> cursors = new ArrayList<>();
            try {
                writer.begin(SortedRunWriter.KEYED);
                inputs.forEach(segment -> cursors.add(open(segment, SortedRunWriter.KEYED, kind)));
                LoserTree tree = new LoserTree(cursors, kind, order);
                for (SortedCursor first = tree.first(); !first.isExhausted(); first = tree.first()) {
                    first.write(writer);
                    tree.advance();
                }
                writer.begin(SortedRunWriter.NULLS);
                for (PartitionedFile segment : inputs) {
                    copyNulls(segment, kind, writer);
                }
                PartitionedFile mergedRun = writer.finish();
                runs.subList(index, index + inputs.size()).clear();
                runs.add(index, mergedRun);
            } finally {
                writer.abandon();
                cursors.forEach(SortedCursor::close);
            }
            inputs.forEach(PartitionedFile::delete);
            index++; // merge the other runs before this one again
        }
    }

    private void copyNulls(PartitionedFile segment, SortKeyKind kind, SortedRunWriter writer) {
        SortedCursor nulls = open(segment, SortedRunWriter.NULLS, kind);
        try {
            while (nulls.advance()) {
                nulls.write(writer);
            }
        } finally {
            nulls.close();
        }
    }

    SortedRunCursor open(PartitionedFile segment, int part, SortKeyKind kind) {
        return new SortedRunCursor(segment, part, kind, order.isDescending(), reader);
    }

    List<PartitionedFile> all() {
        return runs;
    }

    void delete() {
        runs.forEach(PartitionedFile::delete);
        runs.clear();
    }
}
