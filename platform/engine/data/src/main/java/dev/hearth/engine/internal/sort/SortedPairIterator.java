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
 * Hands out what a {@link ExternalSorter} took, in order: merged of memory and runs on disk, and pairs of the null key before or behind.
 * Memory may be given up at any time between two pairs. Owned by the task's thread.
 */
final class SortedPairIterator implements Iterator<Object> {
    private final InMemoryRun run;
    private final SpilledSortedRuns spills;
    private final SortKeyKind kind;
    private final SortOrder order;
    private final Runnable alive;
    private final Runnable end;
    private final Queue<PartitionedFile> nullRuns; // whose pairs of the null key are still to come
    private final List<SortedCursor> opened = new ArrayList<>();
    private final InMemoryRunCursor memory;
    private final @Nullable LoserTree tree; // none while all is in memory
    private @Nullable SortedCursor alone; // the only one where there is no tree
    private @Nullable SortedCursor nullCursor;
    private int nullsPassed;
    private boolean ended;

    /** {@code end} is called once when nothing is left. */
    SortedPairIterator(
            InMemoryRun run,
            SpilledSortedRuns spills,
            SortKeyKind kind,
            SortOrder order,
            Runnable alive,
            Runnable end) {
        this.run = run;
        this.spills = spills;
        this.kind = kind;
        this.order = order;
        this.alive = alive;
        this.end = end;
        this.nullRuns = new ArrayDeque<>(spills.all());
        this.memory = new InMemoryRunCursor(run);
        if (spills.count() == 0) {
            this.tree = null;
            this.alone = memory;
            memory.advance();
        } else {
            this.tree = open();
        }
    }

    private LoserTree open() {
        boolean whole = false;
        try {
            spills.all().forEach(segment -> opened.add(spills.open(segment, SortedRunWriter.KEYED, kind)));
            List<SortedCursor> all = new ArrayList<>(opened);
            all.add(memory);
            LoserTree made = new LoserTree(all, kind, order);
            whole = true;
            return made;
        } finally {
            if (!whole) {
                close(); // nobody gets to know those that are open
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
        return tree == null ? alone : tree.first();
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

    /** Whether a pair of the null key is left; opens the next run that has some. Those in memory came last. */
    private boolean hasNull() {
        while (nullCursor == null || nullCursor.isExhausted()) {
            PartitionedFile next = nullRuns.poll();
            if (next == null) {
                return nullsPassed < run.nullsSize();
            }
            if (next.bytes(SortedRunWriter.NULLS) > 0) {
                nullCursor = spills.open(next, SortedRunWriter.NULLS, kind);
                opened.add(nullCursor);
                nullCursor.advance();
            }
        }
        return true;
    }

    private Object nextNull() {
        SortedCursor cursor = nullCursor;
        if (cursor == null || cursor.isExhausted()) {
            return new Pair<>(null, run.valueOfNull(nullsPassed++));
        }
        Pair<Object, @Nullable Object> pair = new Pair<>(null, cursor.value());
        cursor.advance();
        return pair;
    }

    /** Writes what is left in memory to disk and returns how much that took; nothing of memory is read afterwards. */
    long spill() {
        int passed = memory.passed();
        if (ended || (passed >= run.size() && nullsPassed >= run.nullsSize())) {
            return 0;
        }
        PartitionedFile rest = spills.write(run, passed, nullsPassed);
        SortedCursor cursor = spills.open(rest, SortedRunWriter.KEYED, kind);
        opened.add(cursor);
        cursor.advance();
        nullRuns.add(rest);
        nullsPassed = 0;
        if (tree == null) {
            alone = cursor;
        } else {
            tree.replace(memory, cursor);
        }
        return SpilledSortedRuns.bytes(rest);
    }

    void close() {
        opened.forEach(SortedCursor::close);
    }
}
