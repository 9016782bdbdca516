package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.record.RecordFormat;
import java.util.ArrayList;
import java.util.List;

/** The runs of one sort on disk: writes them, makes fewer of many, and removes them. Owned by the sort. */
final class SpilledRuns {
    /** Merged at once. */
    static final int MERGED_MAX = 64;

    /** What reading a run takes. */
    static final long INPUT_BYTES = 256 * 1024;

    private final SortServices services;
    private final SortOrder order;
    private final RecordFormat.Reader reader;
    private final String subject;
    private final List<Segment> runs = new ArrayList<>(); // in the order in which they were written

    SpilledRuns(SortServices services, SortOrder order, RecordFormat.Reader reader, String subject) {
        this.services = services;
        this.order = order;
        this.reader = reader;
        this.subject = subject;
    }

    /** What a run takes on disk. */
    static long bytes(Segment run) {
        return run.bytes(RunWriter.KEYED) + run.bytes(RunWriter.NULLS);
    }

    int count() {
        return runs.size();
    }

    /** Writes what is left of a run in memory, sorted before. */
    Segment write(MemoryRun run, int passed, int passedNulls) {
        RunWriter writer = new RunWriter(services, subject);
        try {
            run.writeTo(writer, passed, passedNulls);
            Segment segment = writer.finish();
            runs.add(segment);
            return segment;
        } finally {
            writer.abandon();
        }
    }

    /** Merges until there are no more than so many: neighbours, for among equals an earlier run comes first. */
    void mergeDown(int most, KeyKind kind) {
        int at = 0;
        while (runs.size() > most) {
            at = at + 1 < runs.size() ? at : 0;
            int count = Math.max(2, Math.min(most, runs.size() - most + 1));
            List<Segment> merged = List.copyOf(runs.subList(at, Math.min(runs.size(), at + count)));
            RunWriter writer = new RunWriter(services, subject);
            List<Cursor> cursors = new ArrayList<>();
            try {
                writer.begin(RunWriter.KEYED);
                merged.forEach(segment -> cursors.add(open(segment, RunWriter.KEYED, kind)));
                MergeTree tree = new MergeTree(cursors, kind, order);
                for (Cursor first = tree.first(); !first.isExhausted(); first = tree.first()) {
                    first.write(writer);
                    tree.advance();
                }
                writer.begin(RunWriter.NULLS);
                for (Segment segment : merged) {
                    copyNulls(segment, kind, writer);
                }
                Segment joined = writer.finish();
                runs.subList(at, at + merged.size()).clear();
                runs.add(at, joined);
            } finally {
                writer.abandon();
                cursors.forEach(Cursor::close);
            }
            merged.forEach(Segment::delete);
            at++; // the others have their turn before it
        }
    }

    private void copyNulls(Segment segment, KeyKind kind, RunWriter writer) {
        Cursor nulls = open(segment, RunWriter.NULLS, kind);
        try {
            while (nulls.advance()) {
                nulls.write(writer);
            }
        } finally {
            nulls.close();
        }
    }

    RunCursor open(Segment segment, int part, KeyKind kind) {
        return new RunCursor(segment, part, kind, order.isDescending(), reader);
    }

    List<Segment> all() {
        return runs;
    }

    void delete() {
        runs.forEach(Segment::delete);
        runs.clear();
    }
}
