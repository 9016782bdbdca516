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
     * Returned instead of a slot if the table cannot store the key, because its type differs from that of the other
     * keys.
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

    /** Number of keys that the table can hold before it must grow. */
    int limit() {
        return limit;
    }

    boolean isFull() {
        return size == limit;
    }

    boolean canGrow() {
        return buckets.length < BUCKETS_MAX;
    }

    /** Size in bytes of the arrays of a table with {@code buckets} buckets, which is a power of two. */
    private static long bytes(int buckets, int width) {
        return (long) buckets * Long.BYTES + (long) limit(buckets) * width;
    }

    private static int limit(int buckets) {
        return (int) ((long) buckets * LOAD_PER_CENT / 100);
    }

    /** Size in bytes of the arrays of a new table, for the kind of keys that needs most. */
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

    /** Size in bytes of the arrays after the next growth of the table. */
    long grownBytes() {
        return bytes(buckets.length * 2, width());
    }

    /** Bytes that {@link #convertToObjects} allocates in addition to the present arrays. */
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
     * Returns whether the table can store keys of that kind without converting its keys to objects. Doubles are stored
     * as objects.
     */
    boolean accepts(Kind other) {
        return kind == Kind.NONE || kind == Kind.OBJECTS || kind == other;
    }

    /**
     * The slot of a key, which is added if it is missing. Returns {@link #KIND_MISMATCH} if the table cannot store the
     * type of the key. The table must not be full.
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

    /** Chooses the type of the key array, while the table is still empty. */
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
     * The slot of a key in a table of objects; the key is added if it is missing. {@code hash} is the key's hash code.
     */
    int slotOfObject(@Nullable Object key, int hash) {
        return shortStrings.pack(key) ? slotOfText(key) : slotOfOther(key, hash);
    }

    /** The slot of a short string, which the caller has just packed; it is added if it is missing. */
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
     * Loads the memory that {@link #slot} will read for a batch of keys into the CPU cache, so that the cache misses
     * overlap. Sets {@code found} to the probable slot of each key, or to a negative number. Sets {@code packed} to the
     * packed strings that {@link #isConfirmed} needs. Returns a meaningless number, which keeps the compiler from
     * removing the reads.
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
     * Returns whether a key has the slot {@code found} that {@link #prefetch} suggested. Its packed form is at index
     * {@code at} of {@code packed}. The answer is right even if the table has changed since.
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
     * All keys as a column. The column shares the array, so the caller must clear the table before it uses it again.
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
     * All keys in the order of their slots, in the format of {@link #sortedByHash}. Each long has the slot in place of
     * the hash code.
     */
    long[] inSlotOrder() {
        for (int slot = 0; slot < size; slot++) {
            buckets[slot] = (long) slot << HASHES_SHIFT | (slot + 1);
        }
        return buckets;
    }

    /**
     * The bucket with the key's own {@code hashCode}, by which spilled entries are sorted. Packed strings have another
     * hash code in the table.
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

    /** Removes all keys and prepares the table for objects. Reuses the arrays if they have their initial size. */
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
