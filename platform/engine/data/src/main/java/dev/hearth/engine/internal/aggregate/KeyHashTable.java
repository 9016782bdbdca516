package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hash table with open addressing and linear probing, which numbers keys in the order of their first appearance. The
 * number of a key is its slot in an array of ints, longs, or objects. A bucket holds a key's hash code and its slot,
 * and is 0 when it is empty. An int key is its own hash code, so the buckets stay valid when the keys are converted to
 * objects. Short strings are compared in packed form, with a hash code of their own.
 * <p>Owned by one thread. Its owner reserves memory before the table grows.
 */
final class KeyHashTable {
    /** Number of keys that a new table can hold before it grows. */
    static final int KEYS_FIRST = 38;
    /**
     * Result of {@link #slot} if the table cannot store the key, because the key has another type than the keys in the
     * table.
     */
    static final int KIND_MISMATCH = -1;

    // a bucket holds the hash code in its upper half and the slot plus 1 in its lower half
    static final int HASHES_SHIFT = 32;

    private static final int BUCKETS_FIRST = 64;
    private static final int BUCKETS_MAX = 1 << 30;
    private static final int LOAD_PER_CENT = 60;
    private static final long SPREAD_FACTOR =
            0xD6E8FEB86659FD93L; // not the partitioner's factor, which would cluster one partition's keys
    private static final int BOX_BYTES = 16;
    // number of collisions after which the table checks for a kill of the task
    private static final int COLLISIONS_PER_CHECK = 0xFFF;

    private final Runnable alive;
    private Kind kind = Kind.NONE;
    private long[] buckets = new long[BUCKETS_FIRST];
    private int[] ints = {};
    private long[] longs = {};
    private @Nullable Object[] objects = {};
    private final ShortStringKeys shortStrings = new ShortStringKeys();
    private int size;
    private int limit = KEYS_FIRST;
    private int collisions; // number of lookups that found another key with the same hash code

    /** Creates an empty table. {@code alive} is called during long lookups, and throws if the task was killed. */
    KeyHashTable(Runnable alive) {
        this.alive = alive;
    }

    int size() {
        return size;
    }

    Kind kind() {
        return kind;
    }

    /** Number of keys that the table can hold with its present arrays. */
    int limit() {
        return limit;
    }

    boolean isFull() {
        return size == limit;
    }

    boolean canGrow() {
        return buckets.length < BUCKETS_MAX;
    }

    /**
     * Size in bytes of the arrays of a table with {@code buckets} buckets (a power of two), if a key takes {@code
     * width} bytes.
     */
    private static long bytes(int buckets, int width) {
        return (long) buckets * Long.BYTES + (long) limit(buckets) * width;
    }

    private static int limit(int buckets) {
        return (int) ((long) buckets * LOAD_PER_CENT / 100);
    }

    /** Size in bytes of the arrays of a new table whose keys are of the type that needs most memory. */
    static long firstBytes() {
        return bytes(BUCKETS_FIRST, Kind.OBJECTS.width() + ShortStringKeys.WIDTH);
    }

    long bytes() {
        return bytes(buckets.length, width());
    }

    private int width() {
        return kind == Kind.OBJECTS ? kind.width() + ShortStringKeys.WIDTH : kind.width();
    }

    /** Size in bytes of the buckets. They can be released earlier than the keys, because only lookups need them. */
    long bucketsBytes() {
        return (long) buckets.length * Long.BYTES;
    }

    /** Size in bytes that the arrays of this table will have after its next growth. */
    long grownBytes() {
        return bytes(buckets.length * 2, width());
    }

    /**
     * Number of bytes that {@link #convertToObjects} allocates for the new array and the boxes, while the old array is
     * still in use.
     */
    long objectsBytes() {
        return (long) limit * (Kind.OBJECTS.width() + ShortStringKeys.WIDTH) + (long) size * BOX_BYTES;
    }

    void grow() {
        long[] grown = new long[buckets.length * 2];
        int mask = grown.length - 1;
        for (long bucket : buckets) {
            if (bucket != 0) {
                int at = spread((int) (bucket >>> HASHES_SHIFT)) & mask;
                while (grown[at] != 0) {
                    at = (at + 1) & mask;
                }
                grown[at] = bucket;
            }
        }
        buckets = grown;
        limit = limit(grown.length);
        switch (kind) {
            case INTS -> ints = Arrays.copyOf(ints, limit);
            case LONGS -> longs = Arrays.copyOf(longs, limit);
            case OBJECTS -> {
                objects = Arrays.copyOf(objects, limit);
                shortStrings.grow(limit);
            }
            case NONE, DOUBLES -> {} // no keys yet
        }
    }

    private static int spread(int hash) {
        long product = hash * SPREAD_FACTOR;
        return (int) (product ^ (product >>> 32));
    }

    /**
     * Returns whether the table can store keys of the type {@code other} without converting the keys that it has to
     * objects. Doubles are stored as objects, so their type is given as {@code OBJECTS}.
     */
    boolean accepts(Kind other) {
        return kind == Kind.NONE || kind == Kind.OBJECTS || kind == other;
    }

    /**
     * Returns the slot of {@code key}; adds the key if it is missing. Returns {@link #KIND_MISMATCH} if the table
     * cannot store the type of the key. The table must not be full.
     */
    int slot(@Nullable Object key) {
        if (key instanceof Integer number && kind == Kind.INTS) {
            return slotOfInt(number);
        }
        Kind wanted = kind(key);
        if (kind != wanted) {
            if (!accepts(wanted)) {
                return KIND_MISMATCH;
            }
            if (kind == Kind.NONE) {
                setKind(wanted);
            }
        }
        return switch (kind) {
            case INTS -> slotOfInt((Integer) key);
            case LONGS -> slotOfLong((Long) key);
            default -> shortStrings.pack(key) ? slotOfText(key) : slotOfOther(key, key == null ? 0 : key.hashCode());
        };
    }

    private static Kind kind(@Nullable Object key) {
        Kind kind = Kind.of(key);
        return kind == Kind.DOUBLES ? Kind.OBJECTS : kind;
    }

    /** Sets the type in which keys are stored, and allocates the array for them. The table must be empty. */
    void setKind(Kind first) {
        kind = first;
        switch (first) {
            case INTS -> ints = new int[limit];
            case LONGS -> longs = new long[limit];
            default -> {
                objects = new @Nullable Object[limit];
                shortStrings.grow(limit);
            }
        }
    }

    int slotOfInt(int key) {
        long[] all = buckets;
        int mask = all.length - 1;
        for (int at = spread(key) & mask; ; at = (at + 1) & mask) {
            long bucket = all[at];
            if (bucket == 0) {
                ints[size] = key;
                return added(at, key);
            }
            if ((int) (bucket >>> HASHES_SHIFT) == key) {
                return (int) bucket - 1;
            }
        }
    }

    int slotOfLong(long key) {
        int hash = Long.hashCode(key);
        long[] all = buckets;
        int mask = all.length - 1;
        for (int at = spread(hash) & mask; ; at = (at + 1) & mask) {
            long bucket = all[at];
            if (bucket == 0) {
                longs[size] = key;
                return added(at, hash);
            }
            if ((int) (bucket >>> HASHES_SHIFT) == hash) {
                if (longs[(int) bucket - 1] == key) {
                    return (int) bucket - 1;
                }
                countCollision();
            }
        }
    }

    /**
     * Returns the slot of {@code key} in a table whose keys are stored as objects; adds the key if it is missing.
     * {@code hash} is the key's hash code.
     */
    int slotOfObject(@Nullable Object key, int hash) {
        return shortStrings.pack(key) ? slotOfText(key) : slotOfOther(key, hash);
    }

    /**
     * Returns the slot of {@code key}, a short string that the caller has just packed; adds the key if it is missing.
     */
    private int slotOfText(@Nullable Object key) {
        int hash = shortStrings.hash();
        long[] all = buckets;
        int mask = all.length - 1;
        for (int at = spread(hash) & mask; ; at = (at + 1) & mask) {
            long bucket = all[at];
            if (bucket == 0) {
                return addedObject(key, at, hash);
            }
            int slot = (int) bucket - 1;
            if ((int) (bucket >>> HASHES_SHIFT) == hash && shortStrings.isAt(slot)) {
                return slot;
            }
        }
    }

    private int slotOfOther(@Nullable Object key, int hash) {
        long[] all = buckets;
        int mask = all.length - 1;
        for (int at = spread(hash) & mask; ; at = (at + 1) & mask) {
            long bucket = all[at];
            if (bucket == 0) {
                return addedObject(key, at, hash);
            }
            if ((int) (bucket >>> HASHES_SHIFT) == hash) {
                int slot = (int) bucket - 1;
                if (areEqual(objects[slot], key)) {
                    return slot;
                }
                countCollision();
            }
        }
    }

    /**
     * Counts a collision, and checks for a kill after every few thousand: if very many keys have one hash code, lookups
     * take hours.
     */
    private void countCollision() {
        if ((++collisions & COLLISIONS_PER_CHECK) == 0) {
            alive.run();
        }
    }

    private int addedObject(@Nullable Object key, int at, int hash) {
        objects[size] = key;
        shortStrings.store(size);
        return added(at, hash);
    }

    /**
     * Loads the memory that {@link #slot} will read for the first {@code count} keys of {@code batch} into the CPU
     * cache, so that the cache misses overlap. Sets {@code found} to the probable slot of each key, or to a negative
     * number if the key is probably new. Sets {@code packed} to the packed strings that {@link #isConfirmed} needs.
     * Returns a meaningless number, which keeps the compiler from removing the reads.
     */
    int prefetch(@Nullable Object[] batch, int count, int[] found, long[] packed) {
        long[] all = buckets;
        int mask = all.length - 1;
        if (kind != Kind.OBJECTS) {
            // clear the packed keys of the previous batch: isConfirmed would read them if this batch converts the table
            Arrays.fill(packed, 0, 2 * count, 0);
            for (int i = 0; i < count; i++) {
                Object key = batch[i];
                found[i] = (int) all[spread(key == null ? 0 : key.hashCode()) & mask] - 1;
            }
            return 0;
        }
        for (int i = 0; i < count; i++) {
            Object key = batch[i];
            int hash = shortStrings.pack(key) ? shortStrings.hash() : key == null ? 0 : key.hashCode();
            shortStrings.storeTo(packed, i);
            found[i] = (int) all[spread(hash) & mask] - 1;
        }
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += found[i] < 0 ? 0 : shortStrings.touch(found[i]);
        }
        return touched;
    }

    /**
     * Returns whether {@code found}, the slot that {@link #prefetch} suggested for a key, is the key's slot. The key is
     * the packed string at index {@code at} of {@code packed}; for other keys, returns false. The answer is right even
     * if the table has changed since.
     */
    boolean isConfirmed(int found, long[] packed, int at) {
        return found >= 0 && found < size && kind == Kind.OBJECTS && shortStrings.holds(found, packed, at);
    }

    private static boolean areEqual(@Nullable Object known, @Nullable Object key) {
        if (known == key) {
            return true;
        }
        return known instanceof String text ? text.equals(key) : known != null && known.equals(key);
    }

    private int added(int at, int hash) {
        buckets[at] = ((long) hash << HASHES_SHIFT) | (size + 1);
        return size++;
    }

    /** Converts the keys to objects, which is needed once a null or a key of another type arrives. */
    void convertToObjects() {
        @Nullable Object[] boxed = new @Nullable Object[limit];
        for (int slot = 0; slot < size; slot++) {
            boxed[slot] = key(slot);
        }
        shortStrings.grow(limit); // none of the present keys is a string, so there is nothing to pack
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

    /**
     * All keys as a column, which shares the array of the table. The caller must therefore clear the table before it
     * adds keys again.
     */
    Column keys() {
        return switch (kind) {
            case INTS -> new Column.Ints(ints, size);
            case LONGS -> new Column.Longs(longs, size);
            default -> new Column.Objects(objects, size);
        };
    }

    /**
     * All keys, each as its hash code and slot in one long (see {@link #HASHES_SHIFT}), sorted by hash code. Only the
     * first {@link #size} elements of the result count. The result overwrites the buckets, so afterwards keys can be
     * read by slot but not looked up.
     */
    long[] sortedByHash() {
        long[] found = buckets;
        int count = 0;
        for (long bucket : found) {
            if (bucket != 0) {
                found[count++] = kind == Kind.OBJECTS ? withOwnHash(bucket) : bucket;
            }
        }
        Arrays.sort(found, 0, count);
        return found;
    }

    /**
     * All keys in the order of their slots, as {@link #sortedByHash} returns them, but each long has the slot instead
     * of the hash code. Overwrites the buckets, too.
     */
    long[] inSlotOrder() {
        for (int slot = 0; slot < size; slot++) {
            buckets[slot] = (long) slot << HASHES_SHIFT | (slot + 1);
        }
        return buckets;
    }

    /**
     * Returns {@code bucket}, but with the {@code hashCode} of the bucket's key, by which spilled entries are sorted.
     * The bucket of a packed string has another hash code.
     */
    private long withOwnHash(long bucket) {
        int slot = (int) bucket - 1;
        Object key = objects[slot];
        return key != null && shortStrings.isPacked(slot) ? (long) key.hashCode() << HASHES_SHIFT | (slot + 1) : bucket;
    }

    /** Removes all keys and shrinks the arrays to their initial size. */
    void clear() {
        kind = Kind.NONE;
        buckets = new long[BUCKETS_FIRST];
        ints = new int[0];
        longs = new long[0];
        objects = new @Nullable Object[0];
        shortStrings.clear();
        size = 0;
        limit = KEYS_FIRST;
    }

    /**
     * Removes all keys, and prepares the table for keys that are stored as objects. Reuses the arrays if they have
     * their initial size and are for objects already.
     */
    void clearForObjects() {
        if (buckets.length > BUCKETS_FIRST || kind != Kind.OBJECTS) {
            clear();
            setKind(Kind.OBJECTS);
        } else {
            Arrays.fill(buckets, 0);
            Arrays.fill(objects, 0, size, null);
            size = 0;
        }
    }
}
