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
 * Brings together the values of a key, of one side or of several. Takes pairs by side, then gives groups, cogroups or joined
 * pairs in the order in which keys were first seen, values as they came. When memory does not suffice, what there is goes to disk
 * by hash code, and is put in that order again where {@link AggregationServices#inOrder}; the values of one key must fit in the end.
 * <p>Owned by the task's thread; closed when the task has ended, at the latest.
 */
public final class HashGrouper implements Spillable, AutoCloseable {
    private static final int BATCH_VALUES = 1024;
    /** Of one side; an array of all of them must be possible. */
    private static final int VALUES_MAX = Integer.MAX_VALUE - 64 - BATCH_VALUES;

    private static final int ENTRY_BYTES = 64 * 1024; // larger groups are written in several entries

    private final AggregationServices bench;
    private final boolean ordered;
    private final TableReservation account;
    private final KeyHashTable keys;
    private final JoinSide[] sides;
    private final SpilledHashRuns runs;
    private final MemorySampler watch;
    private final GroupCursor cursor;
    private @Nullable AppendOnlySizeEstimator sampling; // where there are objects
    private long tableBytes; // taken for arrays that have grown
    private long forgotten; // keys that had numbers before those in the table
    private boolean reading;
    private int at = -1; // the key that the cursor is on
    private @Nullable SpilledGroups merged;

    public HashGrouper(AggregationServices bench, int sides) {
        this.bench = bench;
        this.ordered = bench.inOrder();
        this.keys = new KeyHashTable(bench::checkKilled);
        this.sides = new JoinSide[sides];
        for (int side = 0; side < sides; side++) {
            this.sides[side] = new JoinSide(KeyHashTable.KEYS_FIRST);
        }
        this.account = new TableReservation(
                bench, this, KeyHashTable.firstBytes() + sides * JoinSide.firstBytes(KeyHashTable.KEYS_FIRST));
        this.runs = new SpilledHashRuns(bench);
        this.watch = new MemorySampler(bench, account);
        this.cursor = new GroupCursor(sides);
    }

    /** Takes the pairs of one side. */
    public PairConsumer side(int side) {
        JoinSide records = sides[side];
        return new PairConsumer() {
            @Override
            public void pair(@Nullable Object key, @Nullable Object value) {
                add(records, key, value);
            }

            @Override
            public void columns(Column given, Column values) {
                addAll(records, given, values);
            }
        };
    }

    private void add(JoinSide side, @Nullable Object key, @Nullable Object value) {
        Kind kind = Kind.of(value);
        if (!hasRoom(side, kind)) {
            empty();
        }
        if (keys.isFull()) {
            makeRoom();
        }
        side.addSlot(slot(key));
        side.addValue(value);
        sample(key, value, kind);
        if (watch.isDue()) {
            look();
        }
    }

    private boolean hasRoom(JoinSide side, Kind kind) {
        long bytes = side.roomBytes(kind);
        return side.size() <= VALUES_MAX && (bytes == 0 || account.take(bytes));
    }

    /** The number of a key, for which there is room. */
    private int slot(@Nullable Object key) {
        int slot = keys.slot(key);
        if (slot == KeyHashTable.NONE) {
            admitObjects();
            slot = keys.slot(key);
        }
        return slot;
    }

    private void sample(@Nullable Object key, @Nullable Object value, Kind kind) {
        boolean objectKey = keys.kind() == Kind.OBJECTS;
        if (objectKey || kind == Kind.OBJECTS) {
            AppendOnlySizeEstimator samples = sampling;
            if (samples == null) {
                samples = new AppendOnlySizeEstimator(bench.sizes());
                sampling = samples;
            }
            samples.added(objectKey ? key : null, value);
        }
    }

    private void look() {
        watch.look();
        AppendOnlySizeEstimator samples = sampling;
        if (samples != null && !watch.take(samples.estimate(), samples.count())) {
            empty();
        }
    }

    private void addAll(JoinSide side, Column given, Column values) {
        Kind kind = Kind.of(values);
        boolean plain = given instanceof Column.Ints && kind != Kind.OBJECTS;
        int from = 0;
        while (from < given.size()) {
            if (!plain || (keys.kind() != Kind.INTS && keys.kind() != Kind.NONE)) {
                add(side, given.value(from), values.value(from));
                from++;
                continue;
            }
            if (!hasRoom(side, kind)) {
                empty();
            }
            int most = Math.min(side.room(kind), BATCH_VALUES);
            from = addInts(side, (Column.Ints) given, values, from, Math.min(given.size(), from + most));
        }
    }

    /** Adds pairs until the table is full or they are at their end; returns where the next one is. */
    private int addInts(JoinSide side, Column.Ints given, Column values, int from, int until) {
        if (keys.isFull()) {
            makeRoom();
        }
        if (keys.kind() == Kind.NONE) {
            keys.begin(Kind.INTS);
        }
        int next = from;
        while (next < until && !keys.isFull()) {
            side.addSlot(keys.slotOfInt(given.values()[next++]));
        }
        side.addValues(values, from, next);
        watch.counts(next - from);
        look();
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
            empty();
        }
    }

    private void admitObjects() {
        long boxes = keys.boxesBytes();
        if (account.take(boxes)) {
            tableBytes += boxes;
            keys.turnIntoObjects();
        } else {
            empty();
        }
    }

    /** Writes a run of what there is, and forgets it. */
    private void empty() {
        arrange();
        write(0);
        forget();
    }

    private void arrange() {
        for (JoinSide side : sides) {
            if (!side.isArranged()) {
                side.arrange(keys.size());
            }
        }
    }

    /** Writes a run of all keys from a number on. What is given out already goes on in the order it has. */
    private void write(int from) {
        int count = keys.size();
        if (from >= count) {
            return;
        }
        HashRunWriter writer = new HashRunWriter(bench, ordered && !reading);
        try {
            long[] order = ordered && reading ? keys.byNumber() : keys.byHash();
            for (int i = 0; i < count; i++) {
                int slot = (int) order[i] - 1;
                if (slot >= from) {
                    write(writer, (int) (order[i] >>> KeyHashTable.HASHES_SHIFT), slot);
                }
            }
            runs.add(writer.finish());
            account.spilled(account.taken(), writer.written());
        } finally {
            writer.abandon(); // nothing once it is finished
        }
    }

    private void write(HashRunWriter writer, int hash, int slot) {
        for (int number = 0; number < sides.length; number++) {
            JoinSide side = sides[number];
            Column values = side.arranged();
            int next = side.from(slot);
            int until = side.until(slot);
            while (next < until) {
                writer.begin(hash, forgotten + slot, number, keys.key(slot));
                while (next < until && writer.entryBytes() < ENTRY_BYTES) {
                    writer.value(values.value(next++));
                }
                writer.end();
            }
        }
    }

    private void forget() {
        forgotten += keys.size();
        keys.clear();
        for (JoinSide side : sides) {
            side.clear(KeyHashTable.KEYS_FIRST);
        }
        sampling = null;
        watch.clear();
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
            write(at + 1);
            forget();
            merged = new MergedGroups(bench, runs, sides.length);
        } else {
            empty();
        }
        return held;
    }

    /** Of one side: keys with the list of their values. */
    public Iterator<Object> groups() {
        read();
        return new Groups(() -> new Pair<>(cursor.key(), cursor.list(0)));
    }

    /** Keys with an array of the lists of their values by side. */
    public Iterator<Object> cogroups() {
        read();
        return new Groups(() -> new Pair<>(cursor.key(), cursor.lists()));
    }

    /** Of two sides: keys with each pair of values, one of either. */
    public Iterator<Object> joined() {
        read();
        return new Products();
    }

    private void read() {
        if (runs.isEmpty()) {
            arrange();
        } else {
            empty();
            merged = ordered
                    ? new FirstSeenOrderGroups(bench, runs, sides.length)
                    : new MergedGroups(bench, runs, sides.length);
        }
        reading = true;
    }

    private boolean hasMore() {
        SpilledGroups groups = merged;
        if (groups != null ? groups.hasNext() : at + 1 < keys.size()) {
            return true;
        }
        close();
        return false;
    }

    /** Sets the cursor on the next key, which there is. */
    private void advance() {
        bench.checkKilled();
        SpilledGroups groups = merged;
        if (groups != null) {
            groups.next(cursor);
            return;
        }
        at++;
        cursor.on(keys.key(at));
        for (int number = 0; number < sides.length; number++) {
            JoinSide side = sides[number];
            cursor.side(number, side.arranged(), side.from(at), side.until(at));
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
        forget();
        account.close();
        at = -1;
    }

    /** Hands out what is made of each key. */
    private final class Groups implements Iterator<Object> {
        private final Supplier<Object> made;

        Groups(Supplier<Object> made) {
            this.made = made;
        }

        @Override
        public boolean hasNext() {
            return hasMore();
        }

        @Override
        public Object next() {
            if (!hasMore()) {
                throw new NoSuchElementException(bench.subject() + ": no more keys");
            }
            advance();
            return made.get();
        }
    }

    /** Hands out the pairs of values of each key, those of the first side with the second one's in turn. */
    private final class Products implements Iterator<Object> {
        private int left;
        private int right;
        private boolean begun;

        @Override
        public boolean hasNext() {
            while (!begun || left == cursor.size(0)) {
                if (!hasMore()) {
                    begun = false;
                    return false;
                }
                advance();
                begun = true;
                right = 0;
                left = cursor.size(1) == 0 ? cursor.size(0) : 0;
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException(bench.subject() + ": no more pairs");
            }
            Pair<?, ?> next = new Pair<>(cursor.key(), new Pair<>(cursor.value(0, left), cursor.value(1, right)));
            if (++right == cursor.size(1)) {
                right = 0;
                left++;
                bench.checkKilled();
            }
            return next;
        }
    }
}
