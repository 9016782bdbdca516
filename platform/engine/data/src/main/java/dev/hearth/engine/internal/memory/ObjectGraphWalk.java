package dev.hearth.engine.internal.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * One walk through what objects refer to, each counted once however often it is met. Of long arrays and collections a few
 * elements stand for all: they have the weight of those they stand for. Owned by one thread, and dropped after a sample.
 */
final class ObjectGraphWalk {
    /** The objects that are visited for one root; those left then count as the mean of these. */
    static final int OBJECTS_MAX = 10_000;
    /** The elements of one array or collection that are visited. */
    static final int ELEMENTS_MAX = 64;

    private final ObjectSizeEstimator sizes;
    private Object[] waiting = new Object[64]; // a stack
    private double[] weights = new double[64];
    private int waitingCount;
    private Object[] seen = new Object[128]; // by identity, open addressing
    private int seenCount;
    private double weight; // of the object being visited

    ObjectGraphWalk(ObjectSizeEstimator sizes) {
        this.sizes = sizes;
    }

    /** The bytes of {@code root} and all it refers to, beside what was met before. */
    double add(@Nullable Object root) {
        double bytes = 0;
        double counted = 0;
        int visited = 0;
        weight = 1;
        push(root);
        while (waitingCount > 0 && visited < OBJECTS_MAX) {
            Object object = waiting[--waitingCount];
            weight = weights[waitingCount];
            if (isNew(object)) {
                bytes += weight * sizes.rule(object.getClass()).visit(object, this);
                counted += weight;
                visited++;
            }
        }
        double left = 0;
        while (waitingCount > 0) {
            left += weights[--waitingCount];
        }
        return counted == 0 ? bytes : bytes + left * bytes / counted;
    }

    /** Something the object being visited refers to. */
    void push(@Nullable Object object) {
        push(object, weight);
    }

    private void push(@Nullable Object object, double heavy) {
        if (object == null) {
            return;
        }
        if (waitingCount == waiting.length) {
            waiting = Arrays.copyOf(waiting, waitingCount * 2);
            weights = Arrays.copyOf(weights, waitingCount * 2);
        }
        waiting[waitingCount] = object;
        weights[waitingCount++] = heavy;
    }

    void pushElements(@Nullable Object[] array) {
        int length = array.length;
        int taken = Math.min(length, ELEMENTS_MAX);
        double heavy = weight * length / Math.max(1, taken);
        for (int i = 0; i < taken; i++) {
            push(array[(int) ((long) i * length / taken)], heavy);
        }
    }

    void pushElements(Collection<?> collection) {
        int size = collection.size();
        int taken = Math.min(size, ELEMENTS_MAX);
        double heavy = weight * size / Math.max(1, taken);
        if (collection instanceof List<?> list && collection instanceof RandomAccess) {
            for (int i = 0; i < taken; i++) {
                push(list.get((int) ((long) i * size / taken)), heavy);
            }
            return;
        }
        Iterator<?> elements = collection.iterator();
        for (int i = 0; i < taken && elements.hasNext(); i++) {
            push(elements.next(), heavy);
        }
    }

    void pushEntries(Map<?, ?> map) {
        int size = map.size();
        int taken = Math.min(size, ELEMENTS_MAX);
        double heavy = weight * size / Math.max(1, taken);
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < taken && entries.hasNext(); i++) {
            Map.Entry<?, ?> entry = entries.next();
            push(entry.getKey(), heavy);
            push(entry.getValue(), heavy);
        }
    }

    private boolean isNew(Object object) {
        if (seenCount * 2 >= seen.length) {
            Object[] old = seen;
            seen = new Object[old.length * 2];
            for (Object each : old) {
                if (each != null) {
                    seen[slot(each)] = each;
                }
            }
        }
        int slot = slot(object);
        if (seen[slot] == object) {
            return false;
        }
        seen[slot] = object;
        seenCount++;
        return true;
    }

    private int slot(Object object) {
        int hash = System.identityHashCode(object);
        int slot = (hash ^ (hash >>> 16)) & (seen.length - 1);
        while (seen[slot] != null && seen[slot] != object) {
            slot = (slot + 1) & (seen.length - 1);
        }
        return slot;
    }
}
