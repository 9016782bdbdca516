package dev.hearth.engine.internal.storage;

import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Iterator that passes on the elements of another iterator and caches them. Owned by the task's thread. */
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
            elementRead(whole);
        }
        draft.finish();
        return false;
    }

    @Override
    public @Nullable Object next() {
        boolean whole = false;
        try {
            Object element = source.next();
            draft.add(element); // must come before the consumer can change the element
            whole = true;
            return element;
        } finally {
            elementRead(whole);
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
            elementRead(whole);
        }
        draft.finish();
    }

    /**
     * Makes the block writer abandon caching if reading or caching an element failed, so that {@code whole} is false.
     * The block then lacks an element and must not be published, even if the consumer continues.
     */
    private void elementRead(boolean whole) {
        if (!whole) {
            draft.elementFailed();
        }
    }

    /** Caches the remaining elements, which the consumer has not read, so that the block is complete. */
    public void complete() {
        if (!draft.isClosed()) {
            while (!draft.isClosed() && source.hasNext()) {
                draft.add(source.next());
            }
            draft.finish();
        }
    }
}
