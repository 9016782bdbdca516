package dev.hearth.engine.internal.serializer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which objects of one record were written already, by identity. Owned by one writer; emptied after each record. */
final class ReferenceTable {
    static final int NEW = -1;
    /** Written by Java's serialisation, so that nothing of ours can refer to it. */
    static final int FOREIGN = -2;

    private static final int FEW = 8; // objects looked through one by one
    private static final int SLOTS_KEPT = 1 << 12; // of the table, from one record to the next

    private @Nullable Object[] objects = new Object[FEW];
    private int[] ids = new int[FEW];
    private int count;
    private int next;
    private int[] slots = {}; // index of an object + 1, or 0; used beyond a few

    /** The number of the object where it is known, else {@link #NEW} or {@link #FOREIGN}; it is known from now on. */
    int add(Object object) {
        int at = find(object);
        if (at >= 0) {
            return ids[at];
        }
        keep(object, next++);
        return NEW;
    }

    /** Notes what Java's serialisation wrote; false when it is known already. */
    boolean addForeign(Object object) {
        if (find(object) >= 0) {
            return false;
        }
        keep(object, FOREIGN);
        return true;
    }

    private int find(Object object) {
        if (count <= FEW) {
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

    private void keep(Object object, int id) {
        if (count == objects.length) {
            objects = Arrays.copyOf(objects, 2 * count);
            ids = Arrays.copyOf(ids, 2 * count);
        }
        objects[count] = object;
        ids[count++] = id;
        if (count > FEW) {
            if (2 * count > slots.length || count == FEW + 1) {
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

    /** Forgets everything. */
    void clear() {
        if (objects.length > SLOTS_KEPT) {
            objects = new Object[FEW];
            ids = new int[FEW];
            slots = new int[0];
        } else {
            Arrays.fill(objects, 0, count, null);
        }
        count = 0;
        next = 0;
    }
}
