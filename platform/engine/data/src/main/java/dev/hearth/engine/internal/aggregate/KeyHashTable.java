package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers keys in the order of their first appearance: int keys, long keys, or objects, by open addressing. A place holds a
 * key's hash code beside its number, and is 0 when it is empty; an int is its own hash code, so that places need not be made
 * anew when a stranger turns the keys into objects. Hash codes are asked for once a lookup, and never again; those of short
 * texts are made of what the texts are compared by, and told as the texts say them.
 * <p>Owned by one thread. Its owner takes memory before it has the table grow.
 */
final class KeyHashTable {
    /** The keys that fit into a table of the first size. */
    static final int KEYS_FIRST = 38;
    /** The answer for a key that is not of this table's kind. */
    static final int NONE = -1;

    static final int HASHES_SHIFT = 32; // of a place: below is the number, from 1

    private static final int PLACES_FIRST = 64;
    private static final int PLACES_MAX = 1 << 30;
    private static final int LOAD_PER_CENT = 60;
    private static final long SPREAD =
            0xD6E8FEB86659FD93L; // not that of the partitioner, whose share of all keys this is
    private static final int BOX_BYTES = 16;
    private static final int STRANGERS_LOOK = 0xFFF; // keys of one hash code: looked at once in so many

    private final Runnable alive;
    private Kind kind = Kind.NONE;
    private long[] places = new long[PLACES_FIRST];
    private int[] ints = {};
    private long[] longs = {};
    private @Nullable Object[] objects = {};
    private final ShortStringKeys texts = new ShortStringKeys();
    private int size;
    private int limit = KEYS_FIRST;
    private int strangers; // keys so far that had the hash code of the one looked for, and were others

    /** {@code alive} throws once the task was told to end. */
    KeyHashTable(Runnable alive) {
        this.alive = alive;
    }

    int size() {
        return size;
    }

    Kind kind() {
        return kind;
    }

    /** How many keys fit before it must grow. */
    int limit() {
        return limit;
    }

    boolean isFull() {
        return size == limit;
    }

    boolean canGrow() {
        return places.length < PLACES_MAX;
    }

    /** What the arrays take with so many keys at most: a power of two places. */
    private static long bytes(int places, int width) {
        return (long) places * Long.BYTES + (long) limit(places) * width;
    }

    private static int limit(int places) {
        return (int) ((long) places * LOAD_PER_CENT / 100);
    }

    /** What a table of the first size takes, whatever its kind. */
    static long firstBytes() {
        return bytes(PLACES_FIRST, Kind.OBJECTS.width() + ShortStringKeys.WIDTH);
    }

    long bytes() {
        return bytes(places.length, width());
    }

    private int width() {
        return kind == Kind.OBJECTS ? kind.width() + ShortStringKeys.WIDTH : kind.width();
    }

    /** Of that, what is gone when keys are all that is wanted of it. */
    long placesBytes() {
        return (long) places.length * Long.BYTES;
    }

    /** What it takes once it has grown. */
    long grownBytes() {
        return bytes(places.length * 2, width());
    }

    /** What {@link #turnIntoObjects} takes in addition. */
    long boxesBytes() {
        return (long) limit * (Kind.OBJECTS.width() + ShortStringKeys.WIDTH) + (long) size * BOX_BYTES;
    }

    void grow() {
        long[] grown = new long[places.length * 2];
        int mask = grown.length - 1;
        for (long place : places) {
            if (place != 0) {
                int at = at((int) (place >>> HASHES_SHIFT)) & mask;
                while (grown[at] != 0) {
                    at = (at + 1) & mask;
                }
                grown[at] = place;
            }
        }
        places = grown;
        limit = limit(grown.length);
        switch (kind) {
            case INTS -> ints = Arrays.copyOf(ints, limit);
            case LONGS -> longs = Arrays.copyOf(longs, limit);
            case OBJECTS -> {
                objects = Arrays.copyOf(objects, limit);
                texts.grow(limit);
            }
            case NONE, DOUBLES -> {} // no keys yet
        }
    }

    private static int at(int hash) {
        long spread = hash * SPREAD;
        return (int) (spread ^ (spread >>> 32));
    }

    /** Whether a key of this kind of column is kept as it is; doubles are kept as objects. */
    boolean takes(Kind other) {
        return kind == Kind.NONE || kind == Kind.OBJECTS || kind == other;
    }

    /** The number of a key, which is added when it is missing; {@link #NONE} when it is not of this kind. Not when full. */
    int slot(@Nullable Object key) {
        if (key instanceof Integer number && kind == Kind.INTS) {
            return slotOfInt(number);
        }
        Kind wanted = kind(key);
        if (kind != wanted) {
            if (!takes(wanted)) {
                return NONE;
            }
            if (kind == Kind.NONE) {
                begin(wanted);
            }
        }
        return switch (kind) {
            case INTS -> slotOfInt((Integer) key);
            case LONGS -> slotOfLong((Long) key);
            default -> texts.pack(key) ? slotOfText(key) : slotOfOther(key, key == null ? 0 : key.hashCode());
        };
    }

    private static Kind kind(@Nullable Object key) {
        Kind kind = Kind.of(key);
        return kind == Kind.DOUBLES ? Kind.OBJECTS : kind;
    }

    /** Decides the kind of an empty table. */
    void begin(Kind first) {
        kind = first;
        switch (first) {
            case INTS -> ints = new int[limit];
            case LONGS -> longs = new long[limit];
            default -> {
                objects = new @Nullable Object[limit];
                texts.grow(limit);
            }
        }
    }

    int slotOfInt(int key) {
        long[] all = places;
        int mask = all.length - 1;
        for (int at = at(key) & mask; ; at = (at + 1) & mask) {
            long place = all[at];
            if (place == 0) {
                ints[size] = key;
                return added(at, key);
            }
            if ((int) (place >>> HASHES_SHIFT) == key) {
                return (int) place - 1;
            }
        }
    }

    int slotOfLong(long key) {
        int hash = Long.hashCode(key);
        long[] all = places;
        int mask = all.length - 1;
        for (int at = at(hash) & mask; ; at = (at + 1) & mask) {
            long place = all[at];
            if (place == 0) {
                longs[size] = key;
                return added(at, hash);
            }
            if ((int) (place >>> HASHES_SHIFT) == hash) {
                if (longs[(int) place - 1] == key) {
                    return (int) place - 1;
                }
                passStranger();
            }
        }
    }

    /** As {@link #slot} where all keys are objects; {@code hash} is what it said once. */
    int slotOfObject(@Nullable Object key, int hash) {
        return texts.pack(key) ? slotOfText(key) : slotOfOther(key, hash);
    }

    /** Of the key that was packed last. */
    private int slotOfText(@Nullable Object key) {
        int hash = texts.hash();
        long[] all = places;
        int mask = all.length - 1;
        for (int at = at(hash) & mask; ; at = (at + 1) & mask) {
            long place = all[at];
            if (place == 0) {
                return addedObject(key, at, hash);
            }
            int slot = (int) place - 1;
            if ((int) (place >>> HASHES_SHIFT) == hash && texts.isAt(slot)) {
                return slot;
            }
        }
    }

    private int slotOfOther(@Nullable Object key, int hash) {
        long[] all = places;
        int mask = all.length - 1;
        for (int at = at(hash) & mask; ; at = (at + 1) & mask) {
            long place = all[at];
            if (place == 0) {
                return addedObject(key, at, hash);
            }
            if ((int) (place >>> HASHES_SHIFT) == hash) {
                int slot = (int) place - 1;
                if (same(objects[slot], key)) {
                    return slot;
                }
                passStranger();
            }
        }
    }

    /** Each key of a hash code is held against all those before it: with very many of them that takes hours. */
    private void passStranger() {
        if ((++strangers & STRANGERS_LOOK) == 0) {
            alive.run();
        }
    }

    private int addedObject(@Nullable Object key, int at, int hash) {
        objects[size] = key;
        texts.put(size);
        return added(at, hash);
    }

    /**
     * Reads what {@link #slot} will read for these keys, all of them at once: what is not in the processor's caches then comes
     * together, and not one after the other. {@code found} becomes, for each, the number that it probably has, or less than 0;
     * {@code notes} what {@link #isFound} takes. Returns a number that means nothing, so that nobody leaves the reading out.
     */
    int lookAhead(@Nullable Object[] ahead, int count, int[] found, long[] notes) {
        long[] all = places;
        int mask = all.length - 1;
        if (kind != Kind.OBJECTS) {
            Arrays.fill(notes, 0, 2 * count, 0); // they are of other keys; a text among these makes objects of all
            for (int i = 0; i < count; i++) {
                Object key = ahead[i];
                found[i] = (int) all[at(key == null ? 0 : key.hashCode()) & mask] - 1;
            }
            return 0;
        }
        for (int i = 0; i < count; i++) {
            Object key = ahead[i];
            int hash = texts.pack(key) ? texts.hash() : key == null ? 0 : key.hashCode();
            texts.note(notes, i);
            found[i] = (int) all[at(hash) & mask] - 1;
        }
        int seen = 0;
        for (int i = 0; i < count; i++) {
            seen += found[i] < 0 ? 0 : texts.glance(found[i]);
        }
        return seen;
    }

    /** Whether a key that was looked up ahead has the number that was found, whatever has happened to the table since. */
    boolean isFound(int found, long[] notes, int at) {
        return found >= 0 && found < size && kind == Kind.OBJECTS && texts.isNoted(found, notes, at);
    }

    private static boolean same(@Nullable Object known, @Nullable Object key) {
        if (known == key) {
            return true;
        }
        return known instanceof String text ? text.equals(key) : known != null && known.equals(key);
    }

    private int added(int at, int hash) {
        places[at] = ((long) hash << HASHES_SHIFT) | (size + 1);
        return size++;
    }

    /** Goes on with objects: a stranger or null came. */
    void turnIntoObjects() {
        @Nullable Object[] boxed = new @Nullable Object[limit];
        for (int slot = 0; slot < size; slot++) {
            boxed[slot] = key(slot);
        }
        texts.grow(limit); // none of those was a text
        kind = Kind.OBJECTS;
        objects = boxed;
        ints = new int[0];
        longs = new long[0];
    }

    @Nullable
    Object key(int slot) {
        return switch (kind) {
            case INTS -> ints[slot];
            case LONGS -> longs[slot];
            default -> objects[slot];
        };
    }

    /** All keys, which this table must then forget. */
    Column keys() {
        return switch (kind) {
            case INTS -> new Column.Ints(ints, size);
            case LONGS -> new Column.Longs(longs, size);
            default -> new Column.Objects(objects, size);
        };
    }

    /**
     * All keys as hash codes and numbers (see {@link #HASHES_SHIFT}), in the order of the hash codes, in the first {@link #size}
     * of what is returned. The places are used up: the table finds nothing any more, and knows its keys by number alone.
     */
    long[] byHash() {
        long[] found = places;
        int count = 0;
        for (long place : found) {
            if (place != 0) {
                found[count++] = kind == Kind.OBJECTS ? withHash(place) : place;
            }
        }
        Arrays.sort(found, 0, count);
        return found;
    }

    /** As {@link #byHash}, with the numbers in place of hash codes, and in their order. */
    long[] byNumber() {
        for (int slot = 0; slot < size; slot++) {
            places[slot] = (long) slot << HASHES_SHIFT | (slot + 1);
        }
        return places;
    }

    /** A place with the hash code that its key says: texts have another one here. */
    private long withHash(long place) {
        int slot = (int) place - 1;
        Object key = objects[slot];
        return key != null && texts.isAny(slot) ? (long) key.hashCode() << HASHES_SHIFT | (slot + 1) : place;
    }

    /** Forgets all keys and its size. */
    void clear() {
        kind = Kind.NONE;
        places = new long[PLACES_FIRST];
        ints = new int[0];
        longs = new long[0];
        objects = new @Nullable Object[0];
        texts.clear();
        size = 0;
        limit = KEYS_FIRST;
    }

    /** Forgets all keys, and begins anew with objects, in the arrays that are there when they are small. */
    void beginObjects() {
        if (places.length > PLACES_FIRST || kind != Kind.OBJECTS) {
            clear();
            begin(Kind.OBJECTS);
        } else {
            Arrays.fill(places, 0);
            Arrays.fill(objects, 0, size, null);
            size = 0;
        }
    }
}
