package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hash grouping: collects the values of each key, from one input or several, which are called sides. Takes pairs by
 * side, then returns groups, cogroups or joined pairs. Keys are in the order in which they were first seen, values in
 * the order of arrival. When memory is short, the table is spilled as a run (a file sorted by hash code). At the end
 * the runs are merged; the order of keys is restored only if {@link AggregationServices#inOrder}. The values of one key
 * must fit in memory.
 * <p>Owned by the task's thread; closed when the task ends, at the latest.
 */
public final class HashGrouper implements Spillable, AutoCloseable {
    private static final int BATCH_VALUES = 1024;
    /**
     * Upper bound on the number of values that the table holds of one side, because one array stores all values of a
     * side.
     */
    private static final int VALUES_MAX = Integer.MAX_VALUE - 64 - BATCH_VALUES;

    private static final int ENTRY_BYTES = 64 * 1024; // larger groups are written as several entries of a run

    private final AggregationServices services;
    private final boolean ordered;
    private final TableReservation account;
    private final KeyHashTable keys;
    private final JoinSide[] sides;
    private final SpilledHashRuns runs;
    private final MemorySampler monitor;
    private final GroupCursor cursor;
    // created only if the table holds objects, whose size must be estimated
    private @Nullable AppendOnlySizeEstimator sampling;
    private long tableBytes; // memory reserved for the arrays of the table
    private long keysBefore; // keys seen before the table was last cleared: the next sequence number
    private boolean reading;
    private int current = -1; // slot of the key at which the cursor stands
    private @Nullable SpilledGroups merged;

    public HashGrouper(AggregationServices services, int sides) {
        this.services = services;
        this.ordered = services.inOrder();
        this.keys = new KeyHashTable(services::checkKilled);
        this.sides = new JoinSide[sides];
        for (int side = 0; side < sides; side++) {
            this.sides[side] = new JoinSide(KeyHashTable.KEYS_FIRST);
        }
        this.account = new TableReservation(
                services, this, KeyHashTable.firstBytes() + sides * JoinSide.firstBytes(KeyHashTable.KEYS_FIRST));
        this.runs = new SpilledHashRuns(services);
        this.monitor = new MemorySampler(services, account);
        this.cursor = new GroupCursor(sides);
    }

    /**
     * Returns the receiver that adds pairs to side {@code side}. The left side of a join has number 0, the right side
     * 1.
     */
    public PairConsumer side(int side) {
        JoinSide records = sides[side];
        return new PairConsumer() {
            @Override
            public void pair(@Nullable Object key, @Nullable Object value) {
                add(records, key, value);
            }

            @Override
            public void columns(Column newKeys, Column values) {
                addAll(records, newKeys, values);
            }
        };
    }

    private void add(JoinSide side, @Nullable Object key, @Nullable Object value) {
        Kind kind = Kind.of(value);
        if (!hasRoom(side, kind)) {
            flush();
        }
        if (keys.isFull()) {
            makeRoom();
        }
        side.addSlot(slot(key));
        side.addValue(value);
        sample(key, value, kind);
        if (monitor.isDue()) {
            checkMemory();
        }
    }

    private boolean hasRoom(JoinSide side, Kind kind) {
        long bytes = side.roomBytes(kind);
        return side.size() <= VALUES_MAX && (bytes == 0 || account.take(bytes));
    }

    /** Returns the slot of {@code key} in the table; adds the key if it is missing. The table must not be full. */
    private int slot(@Nullable Object key) {
        int slot = keys.slot(key);
        if (slot == KeyHashTable.KIND_MISMATCH) {
            convertKeysToObjects();
            slot = keys.slot(key);
        }
        return slot;
    }

    private void sample(@Nullable Object key, @Nullable Object value, Kind kind) {
        boolean objectKey = keys.kind() == Kind.OBJECTS;
        if (objectKey || kind == Kind.OBJECTS) {
            AppendOnlySizeEstimator samples = sampling;
            if (samples == null) {
                samples = new AppendOnlySizeEstimator(services.sizes());
                sampling = samples;
            }
            samples.added(objectKey ? key : null, value);
        }
    }

    private void checkMemory() {
        monitor.beginCheck();
        AppendOnlySizeEstimator samples = sampling;
        if (samples != null && !monitor.reserve(samples.estimate(), samples.count())) {
            flush();
        }
    }

    private void addAll(JoinSide side, Column newKeys, Column values) {
        Kind kind = Kind.of(values);
        boolean plain = newKeys instanceof Column.Ints && kind != Kind.OBJECTS;
        int from = 0;
        while (from < newKeys.size()) {
            if (!plain || (keys.kind() != Kind.INTS && keys.kind() != Kind.NONE)) {
                add(side, newKeys.value(from), values.value(from));
                from++;
                continue;
            }
            if (!hasRoom(side, kind)) {
                flush();
            }
            int most = Math.min(side.room(kind), BATCH_VALUES);
            from = addInts(side, (Column.Ints) newKeys, values, from, Math.min(newKeys.size(), from + most));
        }
    }

    /**
     * Adds pairs to the join side {@code side}: the elements of {@code newKeys} and {@code values} from index {@code
     * from} to before {@code until}. Ends early when the hash table of the keys is full. Returns the index of the first
     * pair that was not added.
     */
    private int addInts(JoinSide side, Column.Ints newKeys, Column values, int from, int until) {
        if (keys.isFull()) {
            makeRoom();
        }
        if (keys.kind() == Kind.NONE) {
            keys.setKind(Kind.INTS);
        }
        int next = from;
        while (next < until && !keys.isFull()) {
            side.addSlot(keys.slotOfInt(newKeys.values()[next++]));
        }
        side.addValues(values, from, next);
        monitor.countUpdates(next - from);
        checkMemory();
        return next;
    }

    private void makeRoom() {
        long grown = keys.grownBytes() + (2L * keys.limit() + 1) * Integer.BYTES * sides.length;
        if (keys.canGrow() && account.take(grown)) {
            keys.grow();
            for (JoinSide side : sides) {
                side.grow(keys.limit());
            }
            account.give(tableBytes);
            tableBytes = grown;
        } else {
            flush();
        }
    }

    private void convertKeysToObjects() {
        long boxes = keys.objectsBytes();
        if (account.take(boxes)) {
            tableBytes += boxes;
            keys.convertToObjects();
        } else {
            flush();
        }
    }

    /** Spills the table as a run (a sorted file) and clears it. */
    private void flush() {
        groupByKey();
        write(0);
        clear();
    }

    private void groupByKey() {
        for (JoinSide side : sides) {
            if (!side.isGrouped()) {
                side.groupByKey(keys.size());
            }
        }
    }

    /**
     * Spills all keys from slot {@code from} on, with their values, as one run (a sorted spill file). If the result is
     * already being read, this run will not be merged with other runs. If the output order matters, such a run is
     * written in that order.
     */
    private void write(int from) {
        int count = keys.size();
        if (from >= count) {
            return;
        }
        HashRunWriter writer = new HashRunWriter(services, ordered && !reading);
        try {
            long[] order = ordered && reading ? keys.inSlotOrder() : keys.sortedByHash();
            for (int i = 0; i < count; i++) {
                int slot = (int) order[i] - 1;
                if (slot >= from) {
                    write(writer, (int) (order[i] >>> KeyHashTable.HASHES_SHIFT), slot);
                }
            }
            runs.add(writer.finish());
            account.spilled(account.taken(), writer.written());
        } finally {
            writer.abandon(); // does nothing after finish
        }
    }

    private void write(HashRunWriter writer, int hash, int slot) {
        for (int number = 0; number < sides.length; number++) {
            JoinSide side = sides[number];
            Column values = side.grouped();
            int next = side.from(slot);
            int until = side.until(slot);
            while (next < until) {
                writer.begin(hash, keysBefore + slot, number, keys.key(slot));
                while (next < until && writer.entryBytes() < ENTRY_BYTES) {
                    writer.value(values.value(next++));
                }
                writer.end();
            }
        }
    }

    private void clear() {
        keysBefore += keys.size();
        keys.clear();
        for (JoinSide side : sides) {
            side.clear(KeyHashTable.KEYS_FIRST);
        }
        sampling = null;
        monitor.clear();
        tableBytes = 0;
        account.giveAll();
    }

    @Override
    public long spill(long wanted) {
        long held = account.taken();
        if (held == 0) {
            return 0;
        }
        if (reading) {
            cursor.detach();
            write(current + 1);
            clear();
            merged = new MergedGroups(services, runs, sides.length);
        } else {
            flush();
        }
        return held;
    }

    /**
     * The result of a groupByKey: pairs of a key and the list of its values. Requires that this grouper has exactly one
     * side (input).
     */
    public Iterator<Object> groups() {
        finishInput();
        return new Groups(() -> new Pair<>(cursor.key(), cursor.list(0)));
    }

    /** The result of a cogroup: pairs of a key and an array, which has one list of values per side. */
    public Iterator<Object> cogroups() {
        finishInput();
        return new Groups(() -> new Pair<>(cursor.key(), cursor.lists()));
    }

    /**
     * The result of a join: for each key, one pair per combination of a left and a right value. Requires that this
     * grouper has two sides (inputs).
     */
    public Iterator<Object> joined() {
        finishInput();
        return new JoinedPairs();
    }

    private void finishInput() {
        if (runs.isEmpty()) {
            groupByKey();
        } else {
            flush();
            merged = ordered
                    ? new FirstSeenOrderGroups(services, runs, sides.length)
                    : new MergedGroups(services, runs, sides.length);
        }
        reading = true;
    }

    private boolean hasMore() {
        SpilledGroups groups = merged;
        if (groups != null ? groups.hasNext() : current + 1 < keys.size()) {
            return true;
        }
        close();
        return false;
    }

    /** Moves the cursor to the next key. The caller has checked by {@link #hasMore} that there is one. */
    private void advance() {
        services.checkKilled();
        SpilledGroups groups = merged;
        if (groups != null) {
            groups.next(cursor);
            return;
        }
        current++;
        cursor.moveTo(keys.key(current));
        for (int number = 0; number < sides.length; number++) {
            JoinSide side = sides[number];
            cursor.side(number, side.grouped(), side.from(current), side.until(current));
        }
    }

    @Override
    public void close() {
        cursor.clear();
        SpilledGroups groups = merged;
        if (groups != null) {
            groups.close();
        }
        runs.close();
        clear();
        account.close();
        current = -1;
    }

    /** Iterates over the result of {@link #groups} or {@link #cogroups}: one element per key. */
    private final class Groups implements Iterator<Object> {
        private final Supplier<Object> result;

        Groups(Supplier<Object> result) {
            this.result = result;
        }

        @Override
        public boolean hasNext() {
            return hasMore();
        }

        @Override
        public Object next() {
            if (!hasMore()) {
                throw new NoSuchElementException(services.subject() + ": no more keys");
            }
            advance();
            return result.get();
        }
    }

    /**
     * Iterates over the result of a join: key by key, and for each key over all combinations of a left value and a
     * right value.
     */
    private final class JoinedPairs implements Iterator<Object> {
        private int left;
        private int right;
        private boolean started;

        @Override
        public boolean hasNext() {
            while (!started || left == cursor.size(0)) {
                if (!hasMore()) {
                    started = false;
                    return false;
                }
                advance();
                started = true;
                right = 0;
                left = cursor.size(1) == 0 ? cursor.size(0) : 0;
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException(services.subject() + ": no more pairs");
            }
            Pair<?, ?> next = new Pair<>(cursor.key(), new Pair<>(cursor.value(0, left), cursor.value(1, right)));
            if (++right == cursor.size(1)) {
                right = 0;
                left++;
                services.checkKilled();
            }
            return next;
        }
    }
}
