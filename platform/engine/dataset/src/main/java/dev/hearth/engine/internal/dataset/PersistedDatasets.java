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

/** The datasets that a program has persisted, as long as something can read them. Guarded by its own lock. */
public final class PersistedDatasets {
    private final Map<Integer, Entry<?>> entries = new TreeMap<>();
    private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();

    /** A dataset, by what it is made of. */
    private static final class Entry<L extends Lineage> extends WeakReference<L> {
        private final int dataset;
        private final Function<L, Rdd<?>> making;

        Entry(L lineage, ReferenceQueue<Object> dropped, Function<L, Rdd<?>> making) {
            super(lineage, dropped);
            this.dataset = lineage.dataset();
            this.making = making;
        }

        void show(Map<Integer, Rdd<?>> shown) {
            L lineage = get();
            if (lineage != null) {
                shown.put(dataset, making.apply(lineage));
            }
        }
    }

    /** Remembers a dataset; {@code making}, which must not hold it, makes it again. */
    <L extends Lineage> void add(L lineage, Function<L, Rdd<?>> making) {
        synchronized (entries) {
            for (Reference<?> gone = dropped.poll(); gone != null; gone = dropped.poll()) {
                entries.values().remove(gone);
            }
            entries.put(lineage.dataset(), new Entry<>(lineage, dropped, making));
        }
    }

    /** Those that {@code keeper} still keeps, by number. */
    public Map<Integer, Rdd<?>> kept(PersistenceManager keeper) {
        Map<Integer, Rdd<?>> shown = new LinkedHashMap<>();
        synchronized (entries) {
            entries.keySet().removeIf(dataset -> keeper.level(dataset) == StorageLevel.NONE);
            entries.values().forEach(entry -> entry.show(shown));
        }
        return Collections.unmodifiableMap(shown);
    }
}
