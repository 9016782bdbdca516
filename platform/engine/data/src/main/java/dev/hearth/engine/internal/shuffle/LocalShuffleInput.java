package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shuffle input of one reducer, read from the shuffle store of its own process. */
final class LocalShuffleInput implements ShuffleInput {
    private final ShuffleStore store;
    private final Iterator<ShuffleSegment> blocks;
    private @Nullable ShuffleSegment last;

    LocalShuffleInput(ShuffleStore store, List<ShuffleSegment> blocks) {
        this.store = store;
        this.blocks = blocks.iterator();
    }

    @Override
    public Optional<ShuffleSegment> next() {
        last = blocks.hasNext() ? blocks.next() : null;
        return Optional.ofNullable(last);
    }

    @Override
    public FetchFailedException damaged(CorruptFileException damage) {
        ShuffleSegment block = last;
        if (block == null) {
            throw new IllegalStateException("corrupt segment: none was returned (expected: one)", damage);
        }
        return store.damaged(block, damage);
    }

    @Override
    public void close() {
        last = null;
    }
}
