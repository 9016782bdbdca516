package dev.hearth.engine.internal.storage;

import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Elements that are kept as they pass. Owned by the thread of its task. */
public final class DraftElements implements Iterator<@Nullable Object> {
    private final Iterator<@Nullable Object> source;
    private final BlockDraft draft;

    public DraftElements(Iterator<@Nullable Object> source, BlockDraft draft) {
        this.source = source;
        this.draft = draft;
    }

    @Override
    public boolean hasNext() {
        if (source.hasNext()) {
            return true;
        }
        draft.finish();
        return false;
    }

    @Override
    public @Nullable Object next() {
        Object element = source.next();
        draft.add(element); // before anybody can change it
        return element;
    }

    @Override
    public void forEachRemaining(Consumer<? super @Nullable Object> action) {
        source.forEachRemaining(element -> {
            draft.add(element);
            action.accept(element);
        });
        draft.finish();
    }

    /** Takes what nobody asked for, so that the block is whole. */
    public void complete() {
        if (!draft.isOver()) {
            while (!draft.isOver() && source.hasNext()) {
                draft.add(source.next());
            }
            draft.finish();
        }
    }
}
