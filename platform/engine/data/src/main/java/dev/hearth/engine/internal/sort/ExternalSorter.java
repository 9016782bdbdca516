package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import dev.hearth.engine.internal.memory.MemoryReservation;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.serializer.EncodedRecords;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * External merge sort of pairs by key, with the null key first, or last when descending. Pairs that arrive serialised
 * stay serialised. When a memory reservation is refused, the pairs in memory are sorted and spilled as a run, which is
 * one sorted file. At the end the runs are merged. Owned by the task's thread; {@link #close} releases everything in
 * any state.
 */
public final class ExternalSorter implements PairConsumer, Spillable, AutoCloseable {
    private static final int CAPACITY_FIRST = 1024;
    // a page that cannot be kept is copied in pieces of this size
    private static final int PIECE_BYTES = 1024 * 1024;
    private static final int CHUNK_PAIRS = 4096; // pairs that arrive one by one are collected in chunks
    private static final int PAIR_BYTES = 2 * Long.BYTES; // two references
    private static final long CHECK_BYTES = 256 * 1024; // approximate bytes of objects between two size checks
    private static final int CHECK_PAIRS_MAX = 1024;

    private final SortServices services;
    private final SortOrder order;
    private final RecordFormat.Reader reader;
    private final PairBuffers sources;
    private final InMemoryRun run;
    private final MemoryReservation reservation;
    private final SpilledSortedRuns spilledRuns;
    private final boolean spillsOnDemand; // whether other consumers can make this sorter spill while pairs are added
    private final RecordInput in = new RecordInput();
    private @Nullable SortKeyKind kind; // set by the first key
    private @Nullable AppendOnlySizeEstimator objects; // null until an object key or value arrives
    private long objectBytes; // bytes reserved for object keys and values
    private long untilCheck; // pairs until the next size check
    private boolean sourceOpen; // whether pairs of the last source are still being added
    private long sourceBytes; // bytes reserved for the last source
    private @Nullable Object[] chunkKeys = {};
    private @Nullable Object[] chunkValues = {};
    private int chunkSize;
    private @Nullable SortedPairIterator output;
    private boolean closed;

    /**
     * Creates a sorter that other consumers of the task's memory cannot make spill while pairs are added. {@code
     * subject} names the sorter in errors.
     */
    public ExternalSorter(SortServices services, SortOrder order, String subject) {
        this(services, order, subject, false);
    }

    /**
     * Creates a sorter. {@code spillsOnDemand} states whether other consumers of the task's memory can make this sorter
     * spill between two added pairs. {@code subject} names the sorter in errors.
     */
    public ExternalSorter(SortServices services, SortOrder order, String subject, boolean spillsOnDemand) {
        this.spillsOnDemand = spillsOnDemand;
        this.services = services;
        this.order = order;
        this.sources = new PairBuffers(services.records());
        this.reader = sources.reader();
        this.run = new InMemoryRun(sources, order);
        this.reservation = new MemoryReservation(services.memory(), this, subject);
        this.spilledRuns = new SpilledSortedRuns(services, order, reader, subject);
    }

    /** Returns the reader for serialised pairs that this process has written. */
    public RecordFormat.Reader reader() {
        return reader;
    }

    @Override
    public void encoded(byte[] page, int from, int until, boolean lasting, RecordFormat.Reader decoder) {
        services.alive().run();
        int bytes = until - from;
        beginSource();
        if (lasting && (reservation.take(bytes) || (spillRun() && reservation.take(bytes)))) {
            sourceOpened(bytes);
            sources.add(page, until, decoder);
            scan(page, from, until, decoder);
            return;
        }
        for (int at = from; at < until; ) {
            int end = until - at <= PIECE_BYTES ? until : endOfPiece(page, at, until, decoder);
            beginSource();
            reserve(end - at);
            sourceOpened(end - at);
            byte[] piece = Arrays.copyOfRange(page, at, end);
            sources.add(piece, piece.length, decoder);
            scan(piece, 0, piece.length, decoder);
            at = end;
        }
    }

    /**
     * Returns the end of the piece of {@code page} that begins at index {@code at} and is copied at once: the end of
     * the last pair that fits into a piece. If the first pair alone is larger than a piece, returns the end of that
     * pair.
     */
    private int endOfPiece(byte[] page, int at, int until, RecordFormat.Reader decoder) {
        in.on(page, at, until);
        int end = at;
        while (in.hasMore()) {
            decoder.skip(in);
            decoder.skip(in);
            if (in.position() - at > PIECE_BYTES) {
                return end == at ? in.position() : end;
            }
            end = in.position();
        }
        return end;
    }

    private void scan(byte[] page, int from, int until, RecordFormat.Reader decoder) {
        in.on(page, from, until);
        while (in.hasMore()) {
            int start = in.position();
            EncodedRecords.Kind encodedKind = EncodedRecords.kind(page, start);
            if (encodedKind == EncodedRecords.Kind.NULL) {
                ensureRoomForNull();
                in.moveTo(start + 1);
                decoder.skip(in);
                run.addNull(sources.row(start + 1, in.position() - start - 1));
            } else if (encodedKind == EncodedRecords.Kind.OTHER || kind == SortKeyKind.OTHER || !order.isNatural()) {
                Object key = decoder.read(in);
                int value = in.position();
                decoder.skip(in);
                int length = in.position() - value;
                if (key != null) {
                    accountFor(key, null);
                }
                addRead(key, start, value, length);
            } else {
                addEncoded(encodedKind, start, decoder);
            }
        }
    }

    /**
     * Adds a serialised pair whose key had to be deserialised, because the key's first byte does not show its type or a
     * comparator needs it. The key may still be a number or a string.
     */
    private void addRead(@Nullable Object key, int start, int value, int length) {
        if (key == null
                || kind == SortKeyKind.OTHER
                || !order.isNatural()
                || SortKeyKind.of(key) == SortKeyKind.OTHER) {
            addObject(key, value, length);
            return;
        }
        SortKeyKind keyKind = SortKeyKind.of(key);
        ensureRoom();
        setKind(keyKind, key);
        if (keyKind == SortKeyKind.TEXT) {
            run.addText(StringPrefixes.needsWide((String) key), sources.row(start, value + length - start));
        } else {
            run.add(keyKind.prefix(key, order.isDescending()), sources.row(value, length));
        }
    }

    private void addEncoded(EncodedRecords.Kind encodedKind, int start, RecordFormat.Reader decoder) {
        ensureRoom();
        SortKeyKind keyKind = SortKeyKind.of(encodedKind);
        if (kind != keyKind) {
            setKind(keyKind, null);
        }
        if (keyKind == SortKeyKind.TEXT) {
            decoder.skip(in);
            decoder.skip(in);
            run.addText(encodedKind == EncodedRecords.Kind.WIDE, sources.row(start, in.position() - start));
        } else {
            long prefix = keyKind.prefix(EncodedRecords.readNumber(in), order.isDescending());
            int value = in.position();
            decoder.skip(in);
            run.add(prefix, sources.row(value, in.position() - value));
        }
    }

    @Override
    public void columns(Column keys, Column values) {
        services.alive().run();
        long bytes = keys.bytes() + values.bytes();
        beginSource();
        if (!reservation.take(bytes) && !(spillRun() && reservation.take(bytes))) {
            PairConsumer.super.columns(keys, values);
            return;
        }
        sourceOpened(bytes);
        sources.add(keys, values);
        boolean sampled = keys instanceof Column.Objects || values instanceof Column.Objects;
        if (order.isNatural() && !sampled) {
            addNumbers(keys);
            return;
        }
        for (int i = 0; i < keys.size(); i++) {
            Object key = keys.value(i);
            accountFor(key, sampled ? values.value(i) : null);
            add(key, i);
        }
    }

    private void addNumbers(Column keys) {
        boolean descending = order.isDescending();
        for (int i = 0; i < keys.size(); i++) {
            ensureRoom();
            if (kind == SortKeyKind.OTHER) {
                add(keys.value(i), i); // fails, because a number is not comparable with the previous keys
            } else if (keys instanceof Column.Longs longs) {
                setKind(SortKeyKind.LONG, null);
                run.add(SortKeyKind.LONG.prefix(longs.values()[i], descending), sources.row(i, 0));
            } else if (keys instanceof Column.Ints ints) {
                setKind(SortKeyKind.INTEGER, null);
                run.add(SortKeyKind.INTEGER.prefix(ints.values()[i], descending), sources.row(i, 0));
            } else {
                add(keys.value(i), i);
            }
        }
    }

    @Override
    public void pair(@Nullable Object key, @Nullable Object value) {
        if (chunkSize == chunkKeys.length) {
            beginSource();
            reserve((long) CHUNK_PAIRS * PAIR_BYTES);
            sourceOpened((long) CHUNK_PAIRS * PAIR_BYTES);
            chunkKeys = new Object[CHUNK_PAIRS];
            chunkValues = new Object[CHUNK_PAIRS];
            chunkSize = 0;
            sources.add(new Column.Objects(chunkKeys, CHUNK_PAIRS), new Column.Objects(chunkValues, CHUNK_PAIRS));
            services.alive().run();
        }
        accountFor(key, value);
        if (key == null) {
            ensureRoomForNull();
        } else {
            ensureRoom(); // comes first, because making room may spill the run
        }
        int index = chunkSize++;
        chunkKeys[index] = key;
        chunkValues[index] = value;
        add(key, index);
    }

    /** Adds the pair at {@code index} of the two columns that are being added; {@code key} is the key of that pair. */
    private void add(@Nullable Object key, int index) {
        SortKeyKind keyKind = key == null ? null : SortKeyKind.of(key);
        if (key == null || keyKind == SortKeyKind.OTHER || kind == SortKeyKind.OTHER || !order.isNatural()) {
            addObject(key, index, 0);
            return;
        }
        ensureRoom();
        setKind(keyKind, key);
        if (keyKind == SortKeyKind.TEXT) {
            run.addText(StringPrefixes.needsWide((String) key), sources.row(index, 0));
        } else {
            run.add(keyKind.prefix(key, order.isDescending()), sources.row(index, 0));
        }
    }

    private void addObject(@Nullable Object key, int offset, int length) {
        if (key == null) {
            ensureRoomForNull();
            run.addNull(sources.row(offset, length));
            return;
        }
        order.expectComparable(key);
        ensureRoom();
        setKind(SortKeyKind.OTHER, key);
        run.addKey(key, sources.row(offset, length));
    }

    /**
     * Sets the type of this sort's keys if this is the first key. Fails if a later key is of another type, unless all
     * keys are compared as objects.
     */
    private void setKind(SortKeyKind keyKind, @Nullable Object key) {
        if (kind == null) {
            kind = keyKind;
            run.begin(keyKind);
        } else if (kind != keyKind && kind != SortKeyKind.OTHER) {
            throw SortOrder.mixed(kind.type(null), keyKind.type(key), null);
        }
    }

    /**
     * Ends the current source of pairs (a page or two columns; see {@link PairBuffers}). Spills if the number of
     * sources has reached its bound.
     */
    private void beginSource() {
        chunkSize = chunkKeys.length; // marks the current chunk as full, so that the next pair begins another
        sourceOpen = false;
        sourceBytes = 0;
        if (sources.isFull()) {
            spillRun();
        }
    }

    private void sourceOpened(long bytes) {
        sourceOpen = true;
        sourceBytes = bytes;
    }

    private void ensureRoom() {
        while (run.isFull()) { // repeated if there is no room even after a spill
            int capacity = run.capacity();
            int larger = (int) Math.min(InMemoryRun.CAPACITY_MAX, Math.max(CAPACITY_FIRST, 2L * capacity));
            if (reserveOrSpill((long) (larger - capacity) * InMemoryRun.ENTRY_BYTES)) {
                run.resize(larger);
            }
        }
    }

    private void ensureRoomForNull() {
        while (run.isFullOfNulls()) {
            int capacity = run.nullsCapacity();
            int larger = (int) Math.min(InMemoryRun.CAPACITY_MAX, Math.max(CAPACITY_FIRST, 2L * capacity));
            if (reserveOrSpill((long) (larger - capacity) * Long.BYTES)) {
                run.resizeNulls(larger);
            }
        }
    }

    /**
     * Reserves {@code bytes} of memory and returns true. If memory is short and there are pairs in memory, spills these
     * instead and returns false.
     */
    private boolean reserveOrSpill(long bytes) {
        if (bytes > 0 && reservation.take(bytes)) {
            return true;
        }
        if (spillRun()) {
            return false;
        }
        reservation.require(bytes);
        return true;
    }

    private void reserve(long bytes) {
        if (reservation.take(bytes) || (spillRun() && reservation.take(bytes))) {
            return;
        }
        if (run.isEmpty()) { // the arrays may be large from a time with more memory
            run.release();
            sources.clear(sourceOpen);
            reservation.giveAllBut(sourceBytes + objectBytes);
        }
        reservation.require(bytes);
    }

    /**
     * Counts a key and a value of a pair that are objects, and reserves memory for all such objects at intervals. The
     * columns that refer to the objects are counted separately.
     */
    private void accountFor(@Nullable Object key, @Nullable Object value) {
        AppendOnlySizeEstimator sampling = objects;
        if (sampling == null) {
            sampling = new AppendOnlySizeEstimator(services.sizes().get());
            objects = sampling;
        }
        sampling.added(key, value);
        if (--untilCheck <= 0) {
            long more = sampling.estimate() - objectBytes;
            if (more > 0 && !reservation.take(more)) {
                if (spillRun()) { // after the spill, only this pair is in memory
                    sampling.added(key, value);
                    more = sampling.estimate();
                }
                reserve(more);
            }
            objectBytes += Math.max(0, more);
            untilCheck = Math.min(CHECK_PAIRS_MAX, CHECK_BYTES / Math.max(1, sampling.estimate() / sampling.count()));
        }
    }

    /**
     * Spills the pairs in memory as a run and releases their memory, except that of the source from which pairs are
     * being added. Returns false if no pairs are in memory.
     */
    private boolean spillRun() {
        if (run.isEmpty()) {
            return false;
        }
        run.sort();
        PartitionedFile written = spilledRuns.write(run, 0, 0);
        run.clear();
        Arrays.fill(chunkKeys, null);
        Arrays.fill(chunkValues, null);
        sources.clear(sourceOpen);
        if (objects != null) {
            objects.clear();
        }
        objectBytes = 0;
        untilCheck = 0;
        reservation.spilled(reservation.giveAllBut(entryBytes() + sourceBytes), SpilledSortedRuns.bytes(written));
        return true;
    }

    private long entryBytes() {
        return (long) run.capacity() * InMemoryRun.ENTRY_BYTES + (long) run.nullsCapacity() * Long.BYTES;
    }

    /** Returns all pairs in sorted order, to be iterated once. No pair may be added after this call. */
    public Iterator<Object> sorted() {
        beginSource();
        SortKeyKind keyKind = kind == null ? SortKeyKind.OTHER : kind;
        if (spilledRuns.count() > 0) {
            int inputs = reserveInputs();
            spilledRuns.mergeDown(inputs, keyKind);
        }
        run.sort();
        SortedPairIterator pairs =
                new SortedPairIterator(run, spilledRuns, keyKind, order, services.alive(), this::close);
        output = pairs;
        return pairs;
    }

    /**
     * Reserves memory for reading spilled runs, and returns how many of them a merge may read at once. If memory is
     * short, first spills the pairs in memory.
     */
    private int reserveInputs() {
        int wanted = Math.min(SpilledSortedRuns.MERGED_MAX, spilledRuns.count());
        if (!tryReserveInputs(wanted)) {
            spillRun();
            run.release(); // no more pairs are added: release the arrays to get memory for reading runs
            sources.clear(false);
            reservation.giveAllBut(0);
            wanted = Math.min(SpilledSortedRuns.MERGED_MAX, spilledRuns.count());
            while (wanted > 2 && !tryReserveInputs(wanted)) {
                wanted = Math.max(2, wanted / 2);
            }
            if (wanted <= 2) {
                tryReserveInputs(wanted); // two runs are read even without a reservation
            }
        }
        return wanted;
    }

    /**
     * Reserves the memory for reading {@code runs} spilled runs at once; returns whether it was reserved. If other
     * consumers of the task reserve memory too, this succeeds only if an equal amount stays free for them.
     */
    private boolean tryReserveInputs(int runs) {
        long bytes = runs * SpilledSortedRuns.INPUT_BYTES;
        boolean taken = reservation.take(spillsOnDemand ? 2 * bytes : bytes);
        if (taken && spillsOnDemand) {
            reservation.give(bytes);
        }
        return taken;
    }

    @Override
    public long spill(long wanted) {
        SortedPairIterator pairs = output;
        if (closed || (pairs == null && !spillsOnDemand)) {
            return 0; // while pairs are added, this sorter is the only consumer that reserves memory
        }
        if (pairs == null) {
            long held = reservation.held();
            spillRun();
            return held - reservation.held();
        }
        long written = pairs.spill();
        long inputs = (long) spilledRuns.count() * SpilledSortedRuns.INPUT_BYTES;
        run.release();
        sources.clear(false);
        long released = reservation.giveAllBut(Math.min(reservation.held(), inputs));
        if (written > 0) {
            reservation.spilled(released, written);
        }
        return released;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (output != null) {
            output.close();
        }
        spilledRuns.delete();
        run.release();
        sources.clear(false);
        reservation.giveAllBut(0);
    }
}
