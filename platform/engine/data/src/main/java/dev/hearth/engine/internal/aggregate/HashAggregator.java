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
 * Hash aggregation: combines all values of a key into one. Takes pairs, then returns the aggregated pairs in the order
 * in which keys were first seen. When memory is short, it spills the table as a run (a file sorted by hash code). At
 * the end it merges the runs; it restores the order only if {@link AggregationServices#inOrder}. A map-side aggregation
 * with a downstream receiver never spills: it sends its table there, to be aggregated again.
 * <p>Owned by the task's thread; closed when the task ends, at the latest.
 */
public final class HashAggregator implements PairConsumer, Spillable, AutoCloseable {
    // seed of the random sampling of records; constant, so that memory use is reproducible
    private static final long SEED = 0x5EED;

    /**
     * Number of keys in a map-side table at which the table is checked. If few pairs had a key that was there already,
     * the table is not worth its memory, and further pairs bypass it.
     */
    private static final int PROBE_KEYS = 600_000;

    // a table is worth its memory if it has at least one repeat per 4 keys
    private static final int PROBE_HITS_PART = 4;
    // after a failed test, 16 pairs per key of the table bypass the table
    private static final int PASS_THROUGH_FACTOR = 16;

    private static final int NO_SLOT = -1;
    private static final int BATCH = 32; // number of pairs that are looked up in the table together

    private static final int HAND_OVER_PAIRS = 4096; // number of pairs that are sent to the receiver together

    private final AggregationServices services;
    private final AggregateFunction function;
    private final boolean ordered;
    private final @Nullable PairConsumer downstream; // if present, the receiver gets the table and nothing is spilled
    private final TableReservation account;
    private final KeyHashTable keys;
    private final AggregationBuffers values = new AggregationBuffers(KeyHashTable.KEYS_FIRST);
    private final SpilledHashRuns runs;
    private final MemorySampler monitor;
    // created only if the table holds objects, whose size must be estimated
    private @Nullable MutableTableSizeEstimator sampling;
    private long tableBytes; // memory reserved for the arrays of the table
    private long keysBefore; // keys seen before the table was last cleared: the next sequence number
    private @Nullable Output pairs; // the result; null until pairs() is called
    private boolean handingOver; // true while the table is sent to the receiver
    private final @Nullable Object[] batchKeys = new @Nullable Object[BATCH]; // keys of the pairs that wait to be added
    private final @Nullable Object[] batchValues = new @Nullable Object[BATCH];
    private final int[] probableSlots = new int[BATCH];
    private final long[] packedKeys = new long[2 * BATCH];
    private int batchSize;

    @SuppressWarnings("UnusedVariable") // the field is assigned so that the compiler cannot remove the prefetch
    private int prefetched;

    private long passThrough; // number of pairs that still bypass the table and go to the receiver

    private HashAggregator(AggregationServices services, AggregateFunction function, @Nullable PairConsumer next) {
        this.services = services;
        this.function = function;
        this.ordered = services.inOrder();
        this.downstream = next;
        this.keys = new KeyHashTable(services::checkKilled);
        this.runs = new SpilledHashRuns(services);
        this.account = new TableReservation(
                services, this, KeyHashTable.firstBytes() + AggregationBuffers.firstBytes(KeyHashTable.KEYS_FIRST));
        this.monitor = new MemorySampler(services, account);
    }

    /** Creates an aggregation that spills when memory is short, and returns its result by {@link #pairs}. */
    public static HashAggregator ofAll(AggregationServices services, AggregateFunction function) {
        return new HashAggregator(services, function, null);
    }

    /**
     * Creates a map-side aggregation that sends its table to the receiver {@code next} when memory is short, and at
     * {@link #finish}. The receiver may therefore get several pairs with one key.
     */
    public static HashAggregator towards(PairConsumer next, AggregationServices services, AggregateFunction function) {
        return new HashAggregator(services, function, next);
    }

    @Override
    public void pair(@Nullable Object key, @Nullable Object value) {
        // the caller may modify these objects after this method returns, so they cannot wait until the batch is full
        if (!isPlain(key) || !isPlain(value)) {
            addBatch();
            add(key, value);
            return;
        }
        batchKeys[batchSize] = key;
        batchValues[batchSize] = value;
        if (++batchSize == BATCH) {
            addBatch();
        }
    }

    /** Returns whether an object is immutable and has a cheap hash code. Most keys and sums are of such types. */
    private static boolean isPlain(@Nullable Object object) {
        return object instanceof String
                || object instanceof Integer
                || object instanceof Long
                || object instanceof Double;
    }

    private void addBatch() {
        int count = batchSize;
        batchSize = 0;
        if (passThrough == 0) {
            prefetched +=
                    keys.prefetch(batchKeys, count, probableSlots, packedKeys) + values.prefetch(probableSlots, count);
            for (int i = 0; i < count; i++) {
                Object key = batchKeys[i];
                if (!passesThrough(key, batchValues[i])) {
                    int found = probableSlots[i];
                    update(keys.isConfirmed(found, packedKeys, i) ? found : keys.slot(key), key, batchValues[i]);
                }
            }
        } else {
            for (int i = 0; i < count; i++) {
                add(batchKeys[i], batchValues[i]);
            }
        }
    }

    private void add(@Nullable Object key, @Nullable Object value) {
        if (!passesThrough(key, value)) {
            update(keys.slot(key), key, value);
        }
    }

    /**
     * Makes room in the table for one more key. If pairs bypass the table at present, because few keys repeat, sends
     * the pair to the receiver and returns true.
     */
    private boolean passesThrough(@Nullable Object key, @Nullable Object value) {
        if (keys.isFull()) {
            makeRoom();
        }
        PairConsumer receiver = downstream;
        if (passThrough == 0 || receiver == null) {
            return false;
        }
        passThrough--;
        receiver.pair(key, function.first(value));
        return true;
    }

    /**
     * Aggregates {@code value} into the buffer at {@code found}, the slot of {@code key} (its number in the table); a
     * new slot gets a new buffer. If {@code found} is {@link KeyHashTable#KIND_MISMATCH}, first converts the table's
     * keys to objects.
     */
    private void update(int found, @Nullable Object key, @Nullable Object value) {
        int slot = found;
        if (slot == KeyHashTable.KIND_MISMATCH) {
            convertKeysToObjects();
            slot = keys.slot(key);
        }
        if (slot == values.size()) {
            addFirst(key, function.first(value));
        } else if (!values.merge(slot, value, function)) {
            replace(slot, values.mismatch());
        }
        if (monitor.isDue() && !fits()) {
            flush();
        }
    }

    @Override
    public void columns(Column newKeys, Column newValues) {
        addBatch();
        if (newKeys instanceof Column.Ints some && newValues instanceof Column.Ints others && function.keepsFirst()) {
            for (int i = 0; i < some.size(); i++) {
                intPair(some.values()[i], others.values()[i]);
            }
        } else {
            for (int i = 0; i < newKeys.size(); i++) {
                pair(newKeys.value(i), newValues.value(i));
            }
        }
    }

    /**
     * Adds a pair of ints as {@link #pair} does. Boxes an int only where the table or the user's function needs an
     * object.
     */
    private void intPair(int key, int value) {
        if (keys.isFull()) {
            makeRoom();
        }
        if (keys.kind() == Kind.INTS && values.kind() == Kind.INTS) {
            // the table is in use, so pairs do not bypass it at present
            int slot = keys.slotOfInt(key);
            if (slot == values.size()) {
                values.addInt(value);
            } else if (!values.merge(slot, value, function)) {
                replace(slot, values.mismatch());
            }
            if (monitor.isDue() && !fits()) {
                flush();
            }
        } else {
            add(key, value);
        }
    }

    private void addFirst(@Nullable Object key, @Nullable Object first) {
        if (values.accepts(first)) {
            values.add(first);
        } else if (reserveObjects(values.objectsBytes())) {
            values.convertToObjects();
            values.add(first);
        } else {
            flush(); // flushes the table without the key just added, because that key has no value yet
            keys.slot(key);
            values.add(first);
        }
    }

    /**
     * Replaces the value of a slot by {@code newValue}, a merge result whose type the primitive array of the buffers
     * cannot store.
     */
    private void replace(int slot, @Nullable Object newValue) {
        if (reserveObjects(values.objectsBytes())) {
            values.convertToObjects();
            values.set(slot, newValue);
        } else {
            flush(slot, newValue);
        }
    }

    /**
     * Estimates the size of the table's keys and values that are objects, and reserves memory for them. Returns false
     * if there is too little memory.
     */
    private boolean fits() {
        long updated = monitor.beginCheck();
        if (keys.kind() != Kind.OBJECTS && values.kind() != Kind.OBJECTS) {
            return true;
        }
        MutableTableSizeEstimator samples = sampling;
        if (samples == null) {
            samples = new MutableTableSizeEstimator(services.sizes(), new SampledTable(), SEED);
            sampling = samples;
        }
        samples.updated(updated);
        return monitor.reserve(samples.estimate(), values.size());
    }

    private void makeRoom() {
        if (downstream != null
                && keys.size() >= PROBE_KEYS
                && monitor.updates() - keys.size() < keys.size() / PROBE_HITS_PART) {
            passThrough = (long) PASS_THROUGH_FACTOR * keys.size();
            flush();
            return;
        }
        long grown = keys.grownBytes() + values.bytes(2 * keys.limit() + 1);
        if (keys.canGrow() && account.take(grown)) {
            keys.grow();
            values.grow(keys.limit());
            account.give(tableBytes);
            tableBytes = grown;
        } else {
            flush();
        }
    }

    private boolean reserveObjects(long bytes) {
        boolean taken = account.take(bytes);
        if (taken) {
            tableBytes += bytes;
        }
        return taken;
    }

    private void convertKeysToObjects() {
        if (reserveObjects(keys.objectsBytes())) {
            keys.convertToObjects();
        } else {
            flush();
        }
    }

    private void flush() {
        flush(NO_SLOT, null);
    }

    /**
     * Sends the table downstream, or spills it if there is no receiver downstream, then clears it. If {@code replaced}
     * is a slot and not {@code NO_SLOT}, {@code newValue} is written in place of the slot's value. The table itself
     * cannot store a value of that type.
     */
    private void flush(int replaced, @Nullable Object newValue) {
        PairConsumer receiver = downstream;
        if (receiver != null) {
            handOver(receiver, replaced, newValue);
        } else {
            writeRun(0, replaced, newValue);
        }
    }

    private void clear() {
        keysBefore += values.size();
        keys.clear();
        values.clear(KeyHashTable.KEYS_FIRST);
        monitor.clear();
        sampling = null;
        tableBytes = 0;
    }

    private void handOver(PairConsumer receiver, int replaced, @Nullable Object newValue) {
        int size = values.size();
        Column tableKeys = keys.keys();
        Column tableValues = values.values();
        long bucketsBytes = keys.bucketsBytes();
        clear();
        handingOver = true;
        try {
            account.give(Math.min(account.taken(), bucketsBytes));
            long reserved = account.taken();
            for (int from = 0; from < size; from += HAND_OVER_PAIRS) {
                int until = Math.min(size, from + HAND_OVER_PAIRS);
                if (from <= replaced && replaced < until) {
                    for (int slot = from; slot < until; slot++) {
                        receiver.pair(tableKeys.value(slot), slot == replaced ? newValue : tableValues.value(slot));
                    }
                } else {
                    receiver.columns(
                            ColumnList.slice(tableKeys, from, until), ColumnList.slice(tableValues, from, until));
                }
                // release memory step by step, because the receiver reserves memory for the pairs it gets
                account.give(reserved * (until - from) / size);
            }
            account.giveAll();
        } finally {
            handingOver = false;
        }
    }

    /**
     * Spills all keys from slot {@code from} on, with their values, as one run (a sorted spill file). If the result is
     * already being read, this run will not be merged with other runs. If the output order matters, such a run is
     * written in that order.
     */
    private void writeRun(int from, int replaced, @Nullable Object newValue) {
        int size = values.size();
        boolean reading = pairs != null;
        if (size > from) {
            HashRunWriter writer = new HashRunWriter(services, ordered && !reading);
            try {
                int count = keys.size();
                long[] order = ordered && reading ? keys.inSlotOrder() : keys.sortedByHash();
                for (int i = 0; i < count; i++) {
                    int slot = (int) order[i] - 1;
                    if (slot >= from && slot < size) {
                        int head = (int) (order[i] >>> KeyHashTable.HASHES_SHIFT);
                        writer.begin(head, keysBefore + slot, 0, keys.key(slot));
                        writer.value(slot == replaced ? newValue : values.value(slot));
                        writer.end();
                    }
                }
                runs.add(writer.finish());
                account.spilled(account.taken(), writer.written());
            } finally {
                writer.abandon(); // does nothing after finish
            }
        }
        clear();
        account.giveAll();
    }

    @Override
    public long spill(long wanted) {
        long reserved = account.taken();
        Output output = pairs;
        if (handingOver || reserved == 0) {
            return 0;
        }
        if (output != null) {
            output.spill();
        } else {
            flush();
        }
        return reserved - account.taken();
    }

    /**
     * Ends a map-side aggregation: sends the pairs that are still in the table to the receiver downstream, and closes
     * this object.
     */
    public void finish() {
        PairConsumer receiver = downstream;
        if (receiver == null) {
            throw new IllegalStateException("aggregation: finish without a receiver (expected: a call of pairs)");
        }
        addBatch();
        handOver(receiver, NO_SLOT, null);
        close();
    }

    /** The aggregated pairs, which may be read once. Memory and files are released after the last pair. */
    public Iterator<Object> pairs() {
        addBatch();
        Output output = new Output();
        if (!runs.isEmpty()) {
            writeRun(0, NO_SLOT, null);
            output.merged = ordered
                    ? new FirstSeenOrderAggregates(services, runs, function)
                    : new MergedAggregates(services, runs, function, false);
        }
        pairs = output;
        return output;
    }

    @Override
    public void close() {
        Output output = pairs;
        if (output != null && output.merged != null) {
            output.merged.close();
        }
        runs.close();
        clear();
        account.close();
    }

    /**
     * Iterates over the result: over the merged runs (sorted spill files) if anything was spilled, otherwise over the
     * table. If the table spills during the iteration, continues with the spilled run.
     */
    private final class Output implements Iterator<Object> {
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
                throw new NoSuchElementException(services.subject() + ": no more keys");
            }
            services.checkKilled();
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
                writeRun(at, NO_SLOT, null);
                merged = new MergedAggregates(services, runs, function, false);
            }
        }
    }

    /**
     * The keys and values of the table that are objects, for the size estimator. Primitive ones need no estimate,
     * because the size of their arrays is known.
     */
    private final class SampledTable implements MutableTableSizeEstimator.Table {
        @Override
        public int slots() {
            return values.size();
        }

        @Override
        public int records() {
            return values.size();
        }

        @Override
        public boolean isEmpty(int slot) {
            return false;
        }

        @Override
        public @Nullable Object key(int slot) {
            return keys.kind() == Kind.OBJECTS ? keys.key(slot) : null;
        }

        @Override
        public @Nullable Object value(int slot) {
            return values.kind() == Kind.OBJECTS ? values.value(slot) : null;
        }
    }
}
