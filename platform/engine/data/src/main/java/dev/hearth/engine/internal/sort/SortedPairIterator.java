package dev.hearth.engine.internal.sort;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.disk.PartitionedFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the pairs of a {@link ExternalSorter} in order. Merges the pairs in memory with the spilled runs, and
 * returns the pairs of the null key first or last. The pairs in memory can be spilled between any two calls. Owned by
 * the task's thread.
 */
final class SortedPairIterator implements Iterator<Object> {
    private final InMemoryRun run;
    private final SpilledSortedRuns spilledRuns;
    private final SortKeyKind kind;
    private final SortOrder order;
    private final Runnable alive;
    private final Runnable end;
    private final Queue<PartitionedFile> nullRuns; // runs whose pairs of the null key have not been read yet
    private final List<SortedCursor> opened = new ArrayList<>();
    private final InMemoryRunCursor memory;
    private final @Nullable LoserTree tree; // null if nothing was spilled before the iteration
    private @Nullable SortedCursor single; // the only cursor if there is no tree
    private @Nullable SortedCursor nullCursor;
    private int nullsRead;
    private boolean ended;

    /**
     * Creates the iterator. It calls {@code end} once, when no pair is left, and {@code alive} for each pair; that
     * throws once the task is killed.
     */
    SortedPairIterator(
            InMemoryRun run,
            SpilledSortedRuns spilledRuns,
            SortKeyKind kind,
            SortOrder order,
            Runnable alive,
            Runnable end) {
        this.run = run;
        this.spilledRuns = spilledRuns;
        this.kind = kind;
        this.order = order;
        this.alive = alive;
        this.end = end;
        this.nullRuns = new ArrayDeque<>(spilledRuns.all());
        this.memory = new InMemoryRunCursor(run);
        if (spilledRuns.count() == 0) {
            this.tree = null;
            this.single = memory;
            memory.advance();
        } else {
            this.tree = open();
        }
    }

    private LoserTree open() {
        boolean complete = false;
        try {
            spilledRuns.all().forEach(segment -> opened.add(spilledRuns.open(segment, SortedRunWriter.KEYED, kind)));
            List<SortedCursor> all = new ArrayList<>(opened);
            all.add(memory);
            LoserTree made = new LoserTree(all, kind, order);
            complete = true;
            return made;
        } finally {
            if (!complete) {
                close(); // close the cursors opened so far
            }
        }
    }

    @Override
    public boolean hasNext() {
        if (ended) {
            return false;
        }
        if (hasKeyed() || hasNull()) {
            return true;
        }
        ended = true;
        end.run();
        return false;
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException("sorted pairs: no more");
        }
        alive.run();
        return order.isNullsLast() ? (hasKeyed() ? nextKeyed() : nextNull()) : (hasNull() ? nextNull() : nextKeyed());
    }

    private SortedCursor first() {
        return tree == null ? single : tree.first();
    }

    private boolean hasKeyed() {
        return !first().isExhausted();
    }

    private Object nextKeyed() {
        SortedCursor first = first();
        Pair<Object, @Nullable Object> pair = new Pair<>(first.key(), first.value());
        if (tree == null) {
            first.advance();
        } else {
            tree.advance();
        }
        return pair;
    }

    /**
     * Whether a pair of the null key is left. When a spilled run has no more such pairs, opens the next one that has
     * some. The pairs in memory come after those of all spilled runs.
     */
    private boolean hasNull() {
        while (nullCursor == null || nullCursor.isExhausted()) {
            PartitionedFile next = nullRuns.poll();
            if (next == null) {
                return nullsRead < run.nullsSize();
            }
            if (next.bytes(SortedRunWriter.NULLS) > 0) {
                nullCursor = spilledRuns.open(next, SortedRunWriter.NULLS, kind);
                opened.add(nullCursor);
                nullCursor.advance();
            }
        }
        return true;
    }

    private Object nextNull() {
        SortedCursor cursor = nullCursor;
        if (cursor == null || cursor.isExhausted()) {
            return new Pair<>(null, run.valueOfNull(nullsRead++));
        }
        Pair<Object, @Nullable Object> pair = new Pair<>(null, cursor.value());
        cursor.advance();
        return pair;
    }

    /**
     * Spills the pairs in memory that were not returned yet. Later calls read these pairs from disk. Returns the number
     * of bytes written; 0 if no such pair is left.
     */
    long spill() {
        int read = memory.position();
        if (ended || (read >= run.size() && nullsRead >= run.nullsSize())) {
            return 0;
        }
        PartitionedFile rest = spilledRuns.write(run, read, nullsRead);
        SortedCursor cursor = spilledRuns.open(rest, SortedRunWriter.KEYED, kind);
        opened.add(cursor);
        cursor.advance();
        nullRuns.add(rest);
        nullsRead = 0;
        if (tree == null) {
            single = cursor;
        } else {
            tree.replace(memory, cursor);
        }
        return SpilledSortedRuns.bytes(rest);
    }

    void close() {
        opened.forEach(SortedCursor::close);
    }
}
