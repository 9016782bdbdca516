package dev.hearth.engine.internal.sort;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cursor over the sorted pairs in memory. */
final class InMemoryRunCursor extends SortedCursor {
    private final InMemoryRun run;
    private int index = -1;

    InMemoryRunCursor(InMemoryRun run) {
        this.run = run;
    }

    @Override
    boolean tryAdvance() {
        if (++index >= run.size()) {
            return false;
        }
        if (index % InMemoryRun.PREFETCHED == 0) {
            run.prefetch(index, Math.min(run.size(), index + InMemoryRun.PREFETCHED));
        }
        return true;
    }

    /** Number of pairs before the current one. */
    int position() {
        return Math.max(0, index);
    }

    @Override
    long prefix() {
        return run.mergePrefix(index);
    }

    @Override
    Object key() {
        return Objects.requireNonNull(run.key(index));
    }

    @Override
    @Nullable
    Object value() {
        return run.value(index);
    }

    @Override
    void write(SortedRunWriter writer) {
        run.write(index, writer);
    }

    @Override
    void close() {}
}
