package dev.hearth.engine.internal.sort;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes over what lies in memory. */
final class MemoryCursor extends Cursor {
    private final MemoryRun run;
    private int place = -1;

    MemoryCursor(MemoryRun run) {
        this.run = run;
    }

    @Override
    boolean moved() {
        if (++place >= run.size()) {
            return false;
        }
        if (place % MemoryRun.TOUCHED == 0) {
            run.touch(place, Math.min(run.size(), place + MemoryRun.TOUCHED));
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
    void write(RunWriter writer) {
        run.write(place, writer);
    }

    @Override
    void close() {}
}
