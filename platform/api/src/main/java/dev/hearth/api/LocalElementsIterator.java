package dev.hearth.api;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a dataset on the driver, one partition in memory at a time, or two with {@code prefetch}. Owned by one
 * thread.
 */
final class LocalElementsIterator<T> implements Iterator<T> {
    private final RddActions<T> dataset;
    private final boolean prefetch;
    private int next; // number of the partition after the current one
    private @Nullable JobFuture<List<List<T>>> prefetched; // the job that fetches partition `next`
    private Iterator<T> current = Collections.emptyIterator();

    LocalElementsIterator(RddActions<T> dataset, boolean prefetch) {
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

    /** Fetches the next partition. If this fails, the next call fetches the same partition again. */
    private List<T> partition() {
        if (!prefetch) {
            List<T> found =
                    dataset.evaluate(new GlomFunction.OfTask<>(), List.of(next)).get(0);
            next++;
            return found;
        }
        JobFuture<List<List<T>>> job = prefetched == null ? submit() : prefetched;
        prefetched = null;
        List<T> found = wait(job);
        next++;
        if (next < dataset.partitions()) {
            prefetched = submit();
        }
        return found;
    }

    private JobFuture<List<List<T>>> submit() {
        return dataset.evaluateAsync(new GlomFunction.OfTask<>(), List.of(next));
    }

    private List<T> wait(JobFuture<List<List<T>>> job) {
        try {
            return job.get().get(0);
        } catch (InterruptedException interrupted) {
            job.cancel("toLocalIterator: the waiting thread was interrupted");
            Thread.currentThread().interrupt();
            throw new HearthException(
                    "JOB_CANCELLED",
                    "toLocalIterator: the waiting thread was interrupted (expected: no interrupt before the next"
                            + " partition has arrived); call next() again to fetch the same partition",
                    interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof HearthException known) {
                throw known;
            }
            throw new HearthException("TASK_FAILED", "toLocalIterator: " + failure.getCause(), failure);
        }
    }
}
