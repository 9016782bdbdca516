package dev.hearth.standalone.internal.master;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Workers in the order of one {@link SelectionPolicy}. They stand in buckets of equal free cores, or of equal free memory,
 * and each bucket knows the most that one of its workers has of the other, so that buckets without room are passed over.
 * A change of a worker costs O(log n). Owned by {@link FreeWorkers}.
 */
final class WorkerOrder {
    private final SelectionPolicy policy;
    private final NavigableMap<Integer, Bucket> buckets = new TreeMap<>();
    private final Map<WorkerRecord, Place> places = new LinkedHashMap<>();

    WorkerOrder(SelectionPolicy policy) {
        this.policy = policy;
    }

    /** Amounts under which a worker stands. */
    private record Place(int key, int other) {}

    private static final class Bucket {
        private final NavigableMap<String, WorkerRecord> workers = new TreeMap<>(); // by id
        private final NavigableMap<Integer, Integer> others =
                new TreeMap<>(); // numbers of workers, by the other amount
    }

    /** Adds a worker, or moves it to its place if what it has free has changed. */
    void put(WorkerRecord worker) {
        Place place = policy.isByMemory()
                ? new Place(worker.memoryFree(), worker.coresFree())
                : new Place(worker.coresFree(), worker.memoryFree());
        Place before = places.put(worker, place);
        if (!place.equals(before)) {
            leave(worker, before);
            Bucket bucket = buckets.computeIfAbsent(place.key(), first -> new Bucket());
            bucket.workers.put(worker.id(), worker);
            bucket.others.merge(place.other(), 1, Integer::sum);
        }
    }

    void remove(WorkerRecord worker) {
        leave(worker, places.remove(worker));
    }

    private void leave(WorkerRecord worker, @Nullable Place place) {
        Bucket bucket = place == null ? null : buckets.get(place.key());
        if (place != null && bucket != null) {
            bucket.workers.remove(worker.id());
            bucket.others.computeIfPresent(place.other(), (amount, count) -> count == 1 ? null : count - 1);
            if (bucket.workers.isEmpty()) {
                buckets.remove(place.key());
            }
        }
    }

    /** Most cores that one worker has free; 0 without workers. */
    int mostCores() {
        return most(policy.isByMemory());
    }

    /** Most memory in MiB that one worker has free; 0 without workers. */
    int mostMemory() {
        return most(!policy.isByMemory());
    }

    private int most(boolean other) {
        if (!other) {
            return buckets.isEmpty() ? 0 : buckets.lastKey();
        }
        return buckets.values().stream()
                .mapToInt(bucket -> bucket.others.lastKey())
                .max()
                .orElse(0);
    }

    /** The workers with room for {@code needs}, in order, found one by one. Valid until a worker changes. */
    Iterator<WorkerRecord> fitting(ProcessNeeds needs) {
        int key = policy.isByMemory() ? needs.memoryMebibytes() : needs.cores();
        int other = policy.isByMemory() ? needs.cores() : needs.memoryMebibytes();
        NavigableMap<Integer, Bucket> enough = buckets.tailMap(key, true);
        List<Iterator<WorkerRecord>> parts = new ArrayList<>();
        for (Bucket bucket : (policy.isDescending() ? enough.descendingMap() : enough).values()) {
            if (bucket.others.lastKey() >= other) {
                parts.add((policy.isDescending() ? bucket.workers.descendingMap() : bucket.workers)
                        .values()
                        .iterator());
            }
        }
        return new Fitting(needs, policy == SelectionPolicy.WORKER_ID ? merged(parts) : joined(parts));
    }

    private static Iterator<WorkerRecord> joined(List<Iterator<WorkerRecord>> parts) {
        Iterator<Iterator<WorkerRecord>> rest = parts.iterator();
        return new Iterator<>() {
            private Iterator<WorkerRecord> part = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!part.hasNext() && rest.hasNext()) {
                    part = rest.next();
                }
                return part.hasNext();
            }

            @Override
            public WorkerRecord next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("worker");
                }
                return part.next();
            }
        };
    }

    /** Workers of {@code parts}, each of which is in the order of ids, in that order. */
    private static Iterator<WorkerRecord> merged(List<Iterator<WorkerRecord>> parts) {
        record Head(WorkerRecord worker, Iterator<WorkerRecord> rest) {}
        PriorityQueue<Head> heads = new PriorityQueue<>(
                (one, other) -> one.worker().id().compareTo(other.worker().id()));
        parts.forEach(part -> heads.add(new Head(part.next(), part)));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !heads.isEmpty();
            }

            @Override
            public WorkerRecord next() {
                Head head = heads.remove();
                if (head.rest().hasNext()) {
                    heads.add(new Head(head.rest().next(), head.rest()));
                }
                return head.worker();
            }
        };
    }

    /** Those workers of {@code all} that have room for {@code needs}. */
    private static final class Fitting implements Iterator<WorkerRecord> {
        private final ProcessNeeds needs;
        private final Iterator<WorkerRecord> all;
        private @Nullable WorkerRecord found;

        Fitting(ProcessNeeds needs, Iterator<WorkerRecord> all) {
            this.needs = needs;
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            while (found == null && all.hasNext()) {
                WorkerRecord worker = all.next();
                found = needs.fit(worker) ? worker : null;
            }
            return found != null;
        }

        @Override
        public WorkerRecord next() {
            WorkerRecord next = hasNext() ? found : null;
            if (next == null) {
                throw new NoSuchElementException("worker with room for " + needs);
            }
            found = null;
            return next;
        }
    }
}
