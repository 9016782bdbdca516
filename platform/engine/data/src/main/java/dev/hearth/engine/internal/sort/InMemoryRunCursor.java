package dev.hearth.engine.internal.sort;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes over what lies in memory. */
final class InMemoryRunCursor extends SortedCursor {
    private final InMemoryRun run;
    private int place = -1;

    InMemoryRunCursor(InMemoryRun run) {
        this.run = run;
    }

    @Override
    boolean moved() {
        if (++place >= run.size()) {
            return false;
        }
        if (place % InMemoryRun.TOUCHED == 0) {
            run.touch(place, Math.min(run.size(), place + InMemoryRun.TOUCHED));
        }
        return true;
    }

    /** How many lie before the one it is at. */
    int passed() {
        return Math.max(0, place);
    }

    @Override
    long prefix() {
        return run.mergePrefix(place);
    }

    @Override
    Object key() {
        return Objects.requireNonNull(run.key(place));
    }

    @Override
    @Nullable
    Object value() {
        return run.value(place);
    }

    @Override
    void write(SortedRunWriter writer) {
        run.write(place, writer);
    }

    @Override
    void close() {}
}
