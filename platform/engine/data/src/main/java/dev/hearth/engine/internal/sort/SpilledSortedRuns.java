package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.ArrayList;
import java.util.List;

/** The runs of one sort on disk: writes them, makes fewer of many, and removes them. Owned by the sort. */
final class SpilledSortedRuns {
    /** Merged at once. */
    static final int MERGED_MAX = 64;

    /** What reading a run takes. */
    static final long INPUT_BYTES = 256 * 1024;

    private final SortServices services;
    private final SortOrder order;
    private final RecordFormat.Reader reader;
    private final String subject;
    private final List<PartitionedFile> runs = new ArrayList<>(); // in the order in which they were written

    SpilledSortedRuns(SortServices services, SortOrder order, RecordFormat.Reader reader, String subject) {
        this.services = services;
        this.order = order;
        this.reader = reader;
        this.subject = subject;
    }

    /** What a run takes on disk. */
    static long bytes(PartitionedFile run) {
        return run.bytes(SortedRunWriter.KEYED) + run.bytes(SortedRunWriter.NULLS);
    }

    int count() {
        return runs.size();
    }

    /** Writes what is left of a run in memory, sorted before. */
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

    /** Merges until there are no more than so many: neighbours, for among equals an earlier run comes first. */
    void mergeDown(int most, SortKeyKind kind) {
        int at = 0;
        while (runs.size() > most) {
            at = at + 1 < runs.size() ? at : 0;
            int count = Math.max(2, Math.min(most, runs.size() - most + 1));
            List<PartitionedFile> merged = List.copyOf(runs.subList(at, Math.min(runs.size(), at + count)));
            SortedRunWriter writer = new SortedRunWriter(services, subject);
            List<SortedCursor> cursors = new ArrayList<>();
            try {
                writer.begin(SortedRunWriter.KEYED);
                merged.forEach(segment -> cursors.add(open(segment, SortedRunWriter.KEYED, kind)));
                LoserTree tree = new LoserTree(cursors, kind, order);
                for (SortedCursor first = tree.first(); !first.isExhausted(); first = tree.first()) {
                    first.write(writer);
                    tree.advance();
                }
                writer.begin(SortedRunWriter.NULLS);
                for (PartitionedFile segment : merged) {
                    copyNulls(segment, kind, writer);
                }
                PartitionedFile joined = writer.finish();
                runs.subList(at, at + merged.size()).clear();
                runs.add(at, joined);
            } finally {
                writer.abandon();
                cursors.forEach(SortedCursor::close);
            }
            merged.forEach(PartitionedFile::delete);
            at++; // the others have their turn before it
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
