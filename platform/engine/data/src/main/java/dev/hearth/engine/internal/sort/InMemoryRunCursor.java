package dev.hearth.engine.internal.sort;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cursor over the pairs of an {@link InMemoryRun} with a non-null key, in sorted order. */
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

    /** Number of pairs of the run that come before the current pair. */
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
