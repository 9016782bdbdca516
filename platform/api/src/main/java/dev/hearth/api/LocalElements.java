package dev.hearth.api;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A dataset's elements on the driver, of one partition at a time, or of two where the next is asked for early. One thread's. */
final class LocalElements<T> implements Iterator<T> {
    private final RddActions<T> dataset;
    private final boolean prefetch;
    private int next; // the partition after the one that is gone over
    private @Nullable JobFuture<List<List<T>>> coming; // that one, where it was asked for early
    private Iterator<T> current = Collections.emptyIterator();

    LocalElements(RddActions<T> dataset, boolean prefetch) {
        this.dataset = dataset;
        this.prefetch = prefetch;
    }

    @Override
    public boolean hasNext() {
        while (!current.hasNext()) {
            if (next >= dataset.partitions()) {
                return false;
            }
            current = partition().iterator();
        }
        return true;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("toLocalIterator: no more elements");
        }
        return current.next();
    }

    /** The next partition. It stays the next one when its job fails: who goes on gets it, or the failure, again. */
    private List<T> partition() {
        if (!prefetch) {
            List<T> found = dataset.evaluate(new Glom.OfTask<>(), List.of(next)).get(0);
            next++;
            return found;
        }
        JobFuture<List<List<T>>> asked = coming == null ? ask() : coming;
        coming = null;
        List<T> found = wait(asked);
        next++;
        if (next < dataset.partitions()) {
            coming = ask();
        }
        return found;
    }

    private JobFuture<List<List<T>>> ask() {
        return dataset.evaluateAsync(new Glom.OfTask<>(), List.of(next));
    }

    private List<T> wait(JobFuture<List<List<T>>> asked) {
        try {
            return asked.get().get(0);
        } catch (InterruptedException interrupted) {
            asked.cancel("toLocalIterator: the waiting thread was interrupted");
            Thread.currentThread().interrupt();
            throw new HearthException(
                    "JOB_CANCELLED",
                    "toLocalIterator: the waiting thread was interrupted (expected: left alone until its partition is"
                            + " there); ask again for the same one",
                    interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof HearthException known) {
                throw known;
            }
            throw new HearthException("TASK_FAILED", "toLocalIterator: " + failure.getCause(), failure);
        }
    }
}
