package dev.hearth.engine.internal.serializer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Identity hash table of the objects already written in one record. Owned by one writer; cleared after each record. */
final class ReferenceTable {
    static final int NEW = -1;
    /**
     * Stands for the id of an object that Java serialisation wrote: such an object has no id, so the record cannot
     * refer to it.
     */
    static final int FOREIGN = -2;

    private static final int LINEAR_MAX = 8; // up to this many objects are searched linearly
    private static final int RETAINED_MAX = 1 << 12; // largest table that is reused for the next record

    private @Nullable Object[] objects = new Object[LINEAR_MAX];
    private int[] ids = new int[LINEAR_MAX];
    private int count;
    private int nextId;
    private int[] slots = {}; // hash table of indexes into the objects, plus 1; 0 is an empty slot

    /**
     * Adds an object. Returns {@link #NEW} if it was not in the table; otherwise returns the id that it has there, or
     * {@link #FOREIGN}.
     */
    int add(Object object) {
        int at = find(object);
        if (at >= 0) {
            return ids[at];
        }
        insert(object, nextId++);
        return NEW;
    }

    /**
     * Adds an object that Java serialisation wrote, without an id. Returns false if the object was added before, by
     * this method or by {@link #add}.
     */
    boolean addForeign(Object object) {
        if (find(object) >= 0) {
            return false;
        }
        insert(object, FOREIGN);
        return true;
    }

    private int find(Object object) {
        if (count <= LINEAR_MAX) {
            for (int i = 0; i < count; i++) {
                if (objects[i] == object) {
                    return i;
                }
            }
            return -1;
        }
        for (int slot = slot(object); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
            if (objects[slots[slot] - 1] == object) {
                return slots[slot] - 1;
            }
        }
        return -1;
    }

    private void insert(Object object, int id) {
        if (count == objects.length) {
            objects = Arrays.copyOf(objects, 2 * count);
            ids = Arrays.copyOf(ids, 2 * count);
        }
        objects[count] = object;
        ids[count++] = id;
        if (count > LINEAR_MAX) {
            if (2 * count > slots.length || count == LINEAR_MAX + 1) {
                rehash();
            } else {
                place(count);
            }
        }
    }

    private void rehash() {
        slots = new int[Math.max(slots.length, Integer.highestOneBit(count) * 4)];
        for (int i = 1; i <= count; i++) {
            place(i);
        }
    }

    private void place(int entry) {
        int slot = slot(objects[entry - 1]);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = entry;
    }

    private int slot(@Nullable Object object) {
        int hash = System.identityHashCode(object) * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }

    /** Removes all objects. */
    void clear() {
        if (objects.length > RETAINED_MAX) {
            objects = new Object[LINEAR_MAX];
            ids = new int[LINEAR_MAX];
            slots = new int[0];
        } else {
            Arrays.fill(objects, 0, count, null);
        }
        count = 0;
        nextId = 0;
    }
}
