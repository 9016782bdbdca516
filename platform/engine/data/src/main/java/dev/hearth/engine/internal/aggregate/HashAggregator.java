package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import dev.hearth.engine.internal.column.ColumnList;
import dev.hearth.engine.internal.memory.MutableTableSizeEstimator;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one value of all values of a key. Takes pairs, then gives what they have become, in the order in which keys were first
 * seen. When memory does not suffice, what there is goes to disk by hash code, and is put in that order again where
 * {@link AggregationServices#inOrder}; or, where another receiver has it combined again, to that at once, which sees keys in that order too.
 * <p>Owned by the task's thread; closed when the task has ended, at the latest.
 */
public final class HashAggregator implements PairConsumer, Spillable, AutoCloseable {
    private static final long SEED = 0x5EED; // which records are looked at: the same for the same input

    /** A table of so many keys that has hardly found any of them twice is not worth its memory on the way to a receiver. */
    private static final int PROBE_KEYS = 600_000;

    private static final int PROBE_HITS_PART = 4; // of its keys: fewer hits are too few
    private static final int PASSED_FACTOR = 16; // times as many pairs then pass by, before it is tried again

    private static final int AHEAD = 32; // pairs that are looked up together

    private static final int HANDED_PAIRS = 4096; // at a time

    private final AggregationServices bench;
    private final AggregateFunction merging;
    private final boolean ordered;
    private final @Nullable PairConsumer next; // where there is one, nothing is written to disk
    private final TableReservation account;
    private final KeyHashTable keys;
    private final AggregationBuffers values = new AggregationBuffers(KeyHashTable.KEYS_FIRST);
    private final SpilledHashRuns runs;
    private final MemorySampler watch;
    private @Nullable MutableTableSizeEstimator sampling; // where there are objects
    private long tableBytes; // taken for arrays that have grown
    private long forgotten; // keys that had numbers before those in the table
    private @Nullable Pairs pairs; // once they are being handed out
    private boolean handing; // to the receiver
    private final @Nullable Object[] aheadKeys =
            new @Nullable Object[AHEAD]; // that have come and are not in the table yet
    private final @Nullable Object[] aheadValues = new @Nullable Object[AHEAD];
    private final int[] aheadFound = new int[AHEAD];
    private final long[] aheadNotes = new long[2 * AHEAD];
    private int ahead;

    @SuppressWarnings("UnusedVariable") // kept, so that KeyHashTable.lookAhead is not left out
    private int seen;

    private long passing; // pairs that go to the receiver as they are

    private HashAggregator(AggregationServices bench, AggregateFunction merging, @Nullable PairConsumer next) {
        this.bench = bench;
        this.merging = merging;
        this.ordered = bench.inOrder();
        this.next = next;
        this.keys = new KeyHashTable(bench::checkKilled);
        this.runs = new SpilledHashRuns(bench);
        this.account = new TableReservation(
                bench, this, KeyHashTable.firstBytes() + AggregationBuffers.firstBytes(KeyHashTable.KEYS_FIRST));
        this.watch = new MemorySampler(bench, account);
    }

    /** One whose pairs are read by {@link #pairs}; it spills to disk. */
    public static HashAggregator ofAll(AggregationServices bench, AggregateFunction merging) {
        return new HashAggregator(bench, merging, null);
    }

    /** One that hands its pairs to {@code next}, by {@link #finish} at the latest; keys may come to that several times. */
    public static HashAggregator towards(PairConsumer next, AggregationServices bench, AggregateFunction merging) {
        return new HashAggregator(bench, merging, next);
    }

    @Override
    public void pair(@Nullable Object key, @Nullable Object value) {
        if (!isPlain(key) || !isPlain(value)) { // may be changed by whoever hands it over, once this returns
            addAhead();
            add(key, value);
            return;
        }
        aheadKeys[ahead] = key;
        aheadValues[ahead] = value;
        if (++ahead == AHEAD) {
            addAhead();
        }
    }

    /** Whether it stays as it is and says its hash code at once: what most keys and sums are. */
    private static boolean isPlain(@Nullable Object object) {
        return object instanceof String
                || object instanceof Integer
                || object instanceof Long
                || object instanceof Double;
    }

    private void addAhead() {
        int count = ahead;
        ahead = 0;
        if (passing == 0) {
            seen += keys.lookAhead(aheadKeys, count, aheadFound, aheadNotes) + values.lookAhead(aheadFound, count);
            for (int i = 0; i < count; i++) {
                Object key = aheadKeys[i];
                if (!passes(key, aheadValues[i])) {
                    int found = aheadFound[i];
                    put(keys.isFound(found, aheadNotes, i) ? found : keys.slot(key), key, aheadValues[i]);
                }
            }
        } else {
            for (int i = 0; i < count; i++) {
                add(aheadKeys[i], aheadValues[i]);
            }
        }
    }

    private void add(@Nullable Object key, @Nullable Object value) {
        if (!passes(key, value)) {
            put(keys.slot(key), key, value);
        }
    }

    /** Sees to it that there is room for a key, and hands the pair on where nothing is kept for now. */
    private boolean passes(@Nullable Object key, @Nullable Object value) {
        if (keys.isFull()) {
            makeRoom();
        }
        PairConsumer receiver = next;
        if (passing == 0 || receiver == null) {
            return false;
        }
        passing--;
        receiver.pair(key, merging.first(value));
        return true;
    }

    /** Adds a value to what is at a key's number. */
    private void put(int found, @Nullable Object key, @Nullable Object value) {
        int slot = found;
        if (slot == KeyHashTable.NONE) {
            admitObjects();
            slot = keys.slot(key);
        }
        if (slot == values.size()) {
            addFirst(key, merging.first(value));
        } else if (!values.join(slot, value, merging)) {
            replace(slot, values.stranger());
        }
        if (watch.isDue() && !fits()) {
            empty();
        }
    }

    @Override
    public void columns(Column given, Column added) {
        addAhead();
        if (given instanceof Column.Ints some && added instanceof Column.Ints others && merging.keepsFirst()) {
            for (int i = 0; i < some.size(); i++) {
                intPair(some.values()[i], others.values()[i]);
            }
        } else {
            for (int i = 0; i < given.size(); i++) {
                pair(given.value(i), added.value(i));
            }
        }
    }

    /** As {@link #pair}, without boxes as far as the user's function needs none. */
    private void intPair(int key, int value) {
        if (keys.isFull()) {
            makeRoom();
        }
        if (keys.kind() == Kind.INTS && values.kind() == Kind.INTS) { // and so none pass by
            int slot = keys.slotOfInt(key);
            if (slot == values.size()) {
                values.addInt(value);
            } else if (!values.join(slot, value, merging)) {
                replace(slot, values.stranger());
            }
            if (watch.isDue() && !fits()) {
                empty();
            }
        } else {
            add(key, value);
        }
    }

    private void addFirst(@Nullable Object key, @Nullable Object first) {
        if (values.takes(first)) {
            values.add(first);
        } else if (takeBoxes(values.boxesBytes())) {
            values.turnIntoObjects();
            values.add(first);
        } else {
            empty(); // but the key just added, which has no value yet
            keys.slot(key);
            values.add(first);
        }
    }

    /** Puts what is of another kind in a value's place. */
    private void replace(int slot, @Nullable Object joined) {
        if (takeBoxes(values.boxesBytes())) {
            values.turnIntoObjects();
            values.set(slot, joined);
        } else {
            empty(slot, joined);
        }
    }

    /** Whether there is memory for what the objects take by now. */
    private boolean fits() {
        long updated = watch.look();
        if (keys.kind() != Kind.OBJECTS && values.kind() != Kind.OBJECTS) {
            return true;
        }
        MutableTableSizeEstimator samples = sampling;
        if (samples == null) {
            samples = new MutableTableSizeEstimator(bench.sizes(), new Records(), SEED);
            sampling = samples;
        }
        samples.updated(updated);
        return watch.take(samples.estimate(), values.size());
    }

    private void makeRoom() {
        if (next != null
                && keys.size() >= PROBE_KEYS
                && watch.updates() - keys.size() < keys.size() / PROBE_HITS_PART) {
            passing = (long) PASSED_FACTOR * keys.size();
            empty();
            return;
        }
        long grown = keys.grownBytes() + values.bytes(2 * keys.limit() + 1);
        if (keys.canGrow() && account.take(grown)) {
            keys.grow();
            values.grow(keys.limit());
            account.give(tableBytes);
            tableBytes = grown;
        } else {
            empty();
        }
    }

    private boolean takeBoxes(long bytes) {
        boolean taken = account.take(bytes);
        if (taken) {
            tableBytes += bytes;
        }
        return taken;
    }

    private void admitObjects() {
        if (takeBoxes(keys.boxesBytes())) {
            keys.turnIntoObjects();
        } else {
            empty();
        }
    }

    private void empty() {
        empty(KeyHashTable.NONE, null);
    }

    /** Hands on or writes to disk what there is, {@code joined} in the place of one value, and forgets it all. */
    private void empty(int replaced, @Nullable Object joined) {
        PairConsumer receiver = next;
        if (receiver != null) {
            handOver(receiver, replaced, joined);
        } else {
            write(0, replaced, joined);
        }
    }

    private void forget() {
        forgotten += values.size();
        keys.clear();
        values.clear(KeyHashTable.KEYS_FIRST);
        watch.clear();
        sampling = null;
        tableBytes = 0;
    }

    private void handOver(PairConsumer receiver, int replaced, @Nullable Object joined) {
        int size = values.size();
        Column handedKeys = keys.keys();
        Column handedValues = values.values();
        long placesBytes = keys.placesBytes();
        forget();
        handing = true;
        try {
            account.give(Math.min(account.taken(), placesBytes));
            long held = account.taken();
            for (int from = 0; from < size; from += HANDED_PAIRS) {
                int until = Math.min(size, from + HANDED_PAIRS);
                if (from <= replaced && replaced < until) {
                    for (int slot = from; slot < until; slot++) {
                        receiver.pair(handedKeys.value(slot), slot == replaced ? joined : handedValues.value(slot));
                    }
                } else {
                    receiver.columns(
                            ColumnList.slice(handedKeys, from, until), ColumnList.slice(handedValues, from, until));
                }
                account.give(held * (until - from) / size); // the receiver takes memory for them as they come
            }
            account.giveAll();
        } finally {
            handing = false;
        }
    }

    /** Writes a run of all keys from a number on. What is given out already goes on in the order it has. */
    private void write(int from, int replaced, @Nullable Object joined) {
        int size = values.size();
        boolean reading = pairs != null;
        if (size > from) {
            HashRunWriter writer = new HashRunWriter(bench, ordered && !reading);
            try {
                int count = keys.size();
                long[] order = ordered && reading ? keys.byNumber() : keys.byHash();
                for (int i = 0; i < count; i++) {
                    int slot = (int) order[i] - 1;
                    if (slot >= from && slot < size) {
                        int head = (int) (order[i] >>> KeyHashTable.HASHES_SHIFT);
                        writer.begin(head, forgotten + slot, 0, keys.key(slot));
                        writer.value(slot == replaced ? joined : values.value(slot));
                        writer.end();
                    }
                }
                runs.add(writer.finish());
                account.spilled(account.taken(), writer.written());
            } finally {
                writer.abandon(); // nothing once it is finished
            }
        }
        forget();
        account.giveAll();
    }

    @Override
    public long spill(long wanted) {
        long held = account.taken();
        Pairs handed = pairs;
        if (handing || held == 0) {
            return 0;
        }
        if (handed != null) {
            handed.spill();
        } else {
            empty();
        }
        return held - account.taken();
    }

    /** Hands over what is left, where there is a receiver. */
    public void finish() {
        PairConsumer receiver = next;
        if (receiver == null) {
            throw new IllegalStateException("combining: finished without a receiver (expected: its pairs are read)");
        }
        addAhead();
        handOver(receiver, KeyHashTable.NONE, null);
        close();
    }

    /** What all pairs have become, once. When the last one was taken, memory and files are given back. */
    public Iterator<Object> pairs() {
        addAhead();
        Pairs made = new Pairs();
        if (!runs.isEmpty()) {
            write(0, KeyHashTable.NONE, null);
            made.merged = ordered
                    ? new FirstSeenOrderAggregates(bench, runs, merging)
                    : new MergedAggregates(bench, runs, merging, false);
        }
        pairs = made;
        return made;
    }

    @Override
    public void close() {
        Pairs handed = pairs;
        if (handed != null && handed.merged != null) {
            handed.merged.close();
        }
        runs.close();
        forget();
        account.close();
    }

    /** Goes over the table, and over what became of it on disk when it had to be spilled meanwhile. */
    private final class Pairs implements Iterator<Object> {
        private @Nullable SpilledPairs merged;
        private int at;

        @Override
        public boolean hasNext() {
            SpilledPairs states = merged;
            if (states != null ? states.hasNext() : at < values.size()) {
                return true;
            }
            close();
            return false;
        }

        @Override
        public Object next() {
            SpilledPairs states = merged;
            if (states != null) {
                return states.next();
            }
            if (at >= values.size()) {
                throw new NoSuchElementException(bench.subject() + ": no more keys");
            }
            bench.checkKilled();
            Pair<?, ?> next = new Pair<>(keys.key(at), values.value(at));
            at++;
            return next;
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            while (hasNext()) {
                action.accept(next());
            }
        }

        void spill() {
            if (merged == null) {
                write(at, KeyHashTable.NONE, null);
                merged = new MergedAggregates(bench, runs, merging, false);
            }
        }
    }

    /** The table as samples see it: what is not boxed has no size to be found. */
    private final class Records implements MutableTableSizeEstimator.Table {
        @Override
        public int slots() {
            return values.size();
        }

        @Override
        public int records() {
            return values.size();
        }

        @Override
        public boolean isEmpty(int place) {
            return false;
        }

        @Override
        public @Nullable Object key(int place) {
            return keys.kind() == Kind.OBJECTS ? keys.key(place) : null;
        }

        @Override
        public @Nullable Object value(int place) {
            return values.kind() == Kind.OBJECTS ? values.value(place) : null;
        }
    }
}
