package dev.hearth.engine.internal.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Traversal of an object graph that adds up object sizes and counts each object once. From a long array or collection
 * it visits only a few elements. Each of them is weighted by the number of elements for which it stands. Owned by one
 * thread, and discarded after use.
 */
final class ObjectGraphWalk {
    /**
     * Upper bound on the objects visited per root (the object passed to {@link #add}). Each object that is not visited
     * counts with the mean size of those visited.
     */
    static final int OBJECTS_MAX = 10_000;
    /** Upper bound on the elements that are visited of one array or collection. */
    static final int ELEMENTS_MAX = 64;

    private final ObjectSizeEstimator sizes;
    private Object[] stack = new Object[64]; // objects that are still to be visited
    private double[] weights = new double[64];
    private int stackSize;
    private Object[] seen = new Object[128]; // the visited objects: an identity hash set with open addressing
    private int seenCount;
    private double weight; // number of objects for which the visited object stands

    ObjectGraphWalk(ObjectSizeEstimator sizes) {
        this.sizes = sizes;
    }

    /**
     * Estimates the size in bytes of {@code root} and of all objects that are reachable from it, except objects that
     * were reachable from an earlier root.
     */
    double add(@Nullable Object root) {
        double bytes = 0;
        double counted = 0;
        int visited = 0;
        weight = 1;
        push(root);
        while (stackSize > 0 && visited < OBJECTS_MAX) {
            Object object = stack[--stackSize];
            weight = weights[stackSize];
            if (isNew(object)) {
                bytes += weight * sizes.rule(object.getClass()).visit(object, this);
                counted += weight;
                visited++;
            }
        }
        double unvisitedWeight = 0;
        while (stackSize > 0) {
            unvisitedWeight += weights[--stackSize];
        }
        return counted == 0 ? bytes : bytes + unvisitedWeight * bytes / counted;
    }

    /**
     * Adds {@code object} to the objects that are still to be visited, because the object that is being visited refers
     * to it.
     */
    void push(@Nullable Object object) {
        push(object, weight);
    }

    private void push(@Nullable Object object, double elementWeight) {
        if (object == null) {
            return;
        }
        if (stackSize == stack.length) {
            stack = Arrays.copyOf(stack, stackSize * 2);
            weights = Arrays.copyOf(weights, stackSize * 2);
        }
        stack[stackSize] = object;
        weights[stackSize++] = elementWeight;
    }

    void pushElements(@Nullable Object[] array) {
        int length = array.length;
        int sampled = Math.min(length, ELEMENTS_MAX);
        double elementWeight = weight * length / Math.max(1, sampled);
        for (int i = 0; i < sampled; i++) {
            push(array[(int) ((long) i * length / sampled)], elementWeight);
        }
    }

    void pushElements(Collection<?> collection) {
        int size = collection.size();
        int sampled = Math.min(size, ELEMENTS_MAX);
        double elementWeight = weight * size / Math.max(1, sampled);
        if (collection instanceof List<?> list && collection instanceof RandomAccess) {
            for (int i = 0; i < sampled; i++) {
                push(list.get((int) ((long) i * size / sampled)), elementWeight);
            }
            return;
        }
        Iterator<?> elements = collection.iterator();
        for (int i = 0; i < sampled && elements.hasNext(); i++) {
            push(elements.next(), elementWeight);
        }
    }

    void pushEntries(Map<?, ?> map) {
        int size = map.size();
        int sampled = Math.min(size, ELEMENTS_MAX);
        double elementWeight = weight * size / Math.max(1, sampled);
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < sampled && entries.hasNext(); i++) {
            Map.Entry<?, ?> entry = entries.next();
            push(entry.getKey(), elementWeight);
            push(entry.getValue(), elementWeight);
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
