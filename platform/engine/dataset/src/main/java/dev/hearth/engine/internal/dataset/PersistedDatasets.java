package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The datasets that an application has persisted. References to them are weak, so that a dataset can be garbage
 * collected once the application no longer refers to it. Guarded by its own lock.
 */
public final class PersistedDatasets {
    private final Map<Integer, Entry<?>> entries = new TreeMap<>();
    private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();

    /** Weak reference to the lineage of one persisted dataset, with the factory that creates the dataset's object. */
    private static final class Entry<L extends Lineage> extends WeakReference<L> {
        private final int dataset;
        private final Function<L, Rdd<?>> factory;

        Entry(L lineage, ReferenceQueue<Object> dropped, Function<L, Rdd<?>> factory) {
            super(lineage, dropped);
            this.dataset = lineage.dataset();
            this.factory = factory;
        }

        void show(Map<Integer, Rdd<?>> shown) {
            L lineage = get();
            if (lineage != null) {
                shown.put(dataset, factory.apply(lineage));
            }
        }
    }

    /**
     * Adds a persisted dataset by its lineage, from which {@code factory} later creates an {@code Rdd}. The factory
     * must not refer to the lineage, because that would keep the lineage reachable.
     */
    <L extends Lineage> void add(L lineage, Function<L, Rdd<?>> factory) {
        synchronized (entries) {
            for (Reference<?> gone = dropped.poll(); gone != null; gone = dropped.poll()) {
                entries.values().remove(gone);
            }
            entries.put(lineage.dataset(), new Entry<>(lineage, dropped, factory));
        }
    }

    /** The datasets that are persisted now, by id. First drops the entries of datasets that have been unpersisted. */
    public Map<Integer, Rdd<?>> kept(PersistenceManager keeper) {
        Map<Integer, Rdd<?>> shown = new LinkedHashMap<>();
        synchronized (entries) {
            entries.keySet().removeIf(dataset -> keeper.level(dataset) == StorageLevel.NONE);
            entries.values().forEach(entry -> entry.show(shown));
        }
        return Collections.unmodifiableMap(shown);
    }
}
