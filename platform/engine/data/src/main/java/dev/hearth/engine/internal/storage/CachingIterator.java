package dev.hearth.engine.internal.storage;

import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Elements that are kept as they pass. Owned by the thread of its task. */
public final class CachingIterator implements Iterator<@Nullable Object> {
    private final Iterator<@Nullable Object> source;
    private final BlockWriter draft;

    public CachingIterator(Iterator<@Nullable Object> source, BlockWriter draft) {
        this.source = source;
        this.draft = draft;
    }

    @Override
    public boolean hasNext() {
        boolean whole = false;
        try {
            boolean more = source.hasNext();
            whole = true;
            if (more) {
                return true;
            }
        } finally {
            passed(whole);
        }
        draft.finish();
        return false;
    }

    @Override
    public @Nullable Object next() {
        boolean whole = false;
        try {
            Object element = source.next();
            draft.add(element); // before anybody can change it
            whole = true;
            return element;
        } finally {
            passed(whole);
        }
    }

    @Override
    public void forEachRemaining(Consumer<? super @Nullable Object> action) {
        boolean whole = false;
        try {
            source.forEachRemaining(element -> {
                draft.add(element);
                action.accept(element);
            });
            whole = true;
        } finally {
            passed(whole);
        }
        draft.finish();
    }

    /** An element that failed is missing, even where whoever asked for it goes on without. */
    private void passed(boolean whole) {
        if (!whole) {
            draft.breakOff();
        }
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
