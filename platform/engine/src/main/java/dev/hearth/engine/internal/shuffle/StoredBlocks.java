package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.DamagedSegment;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Blocks of this process's store. */
final class StoredBlocks implements PairBlocks {
    private final ShuffleStore store;
    private final Iterator<PairBlock> blocks;
    private @Nullable PairBlock last;

    StoredBlocks(ShuffleStore store, List<PairBlock> blocks) {
        this.store = store;
        this.blocks = blocks.iterator();
    }

    @Override
    public Optional<PairBlock> next() {
        last = blocks.hasNext() ? blocks.next() : null;
        return Optional.ofNullable(last);
    }

    @Override
    public MissingOutput damaged(DamagedSegment damage) {
        PairBlock block = last;
        if (block == null) {
            throw new IllegalStateException("damaged block: none was given out (expected: one)", damage);
        }
        return store.damaged(block, damage);
    }

    @Override
    public void close() {
        last = null;
    }
}
