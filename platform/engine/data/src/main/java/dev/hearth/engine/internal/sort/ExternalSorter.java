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
 * Takes the pairs of one reader, then hands them out by the order of their keys, null first, or last when descending. What came as
 * bytes stays bytes until then. Where memory is refused, what is there is sorted and goes to disk as a run. Owned by the task's
 * thread; {@link #close} gives everything back, whatever was done before.
 */
public final class ExternalSorter implements PairConsumer, Spillable, AutoCloseable {
    private static final int CAPACITY_FIRST = 1024;
    private static final int PIECE_BYTES = 1024 * 1024; // of a page that cannot be held whole
    private static final int CHUNK_PAIRS = 4096; // that came one by one are held together
    private static final int PAIR_BYTES = 2 * Long.BYTES; // two references
    private static final long UNCOUNTED_BYTES = 256 * 1024; // of objects, about, between looks at what they take
    private static final int UNCOUNTED_PAIRS_MAX = 1024;

    private final SortServices services;
    private final SortOrder order;
    private final RecordFormat.Reader reader;
    private final PairBuffers sources;
    private final InMemoryRun run;
    private final MemoryReservation booking;
    private final SpilledSortedRuns spills;
    private final boolean givesWay; // while it takes pairs, too
    private final RecordInput in = new RecordInput();
    private @Nullable SortKeyKind kind; // once the first key was seen
    private @Nullable AppendOnlySizeEstimator objects; // once there are any
    private long objectBytes; // booked for them
    private long looks; // how many pairs before the next look
    private boolean open; // the last source is being read
    private long openBytes; // booked for that
    private @Nullable Object[] chunkKeys = {};
    private @Nullable Object[] chunkValues = {};
    private int chunkSize;
    private @Nullable SortedPairIterator output;
    private boolean closed;

    /** One that makes room for nobody while it takes pairs. {@code subject} names it in errors. */
    public ExternalSorter(SortServices services, SortOrder order, String subject) {
        this(services, order, subject, false);
    }

    /** {@code givesWay} when others of its task want memory between two pairs that it takes. */
    public ExternalSorter(SortServices services, SortOrder order, String subject, boolean givesWay) {
        this.givesWay = givesWay;
        this.services = services;
        this.order = order;
        this.sources = new PairBuffers(services.records());
        this.reader = sources.reader();
        this.run = new InMemoryRun(sources, order);
        this.booking = new MemoryReservation(services.memory(), this, subject);
        this.spills = new SpilledSortedRuns(services, order, reader, subject);
    }

    /** What makes objects of bytes that need no other one. */
    public RecordFormat.Reader reader() {
        return reader;
    }

    @Override
    public void encoded(byte[] page, int from, int until, boolean lasting, RecordFormat.Reader by) {
        services.alive().run();
        int bytes = until - from;
        beginSource();
        if (lasting && (booking.take(bytes) || (spillRun() && booking.take(bytes)))) {
            open(bytes);
            sources.add(page, until, by);
            scan(page, from, until, by);
            return;
        }
        for (int at = from; at < until; ) {
            int end = until - at <= PIECE_BYTES ? until : endOfPiece(page, at, until, by);
            beginSource();
            obtain(end - at);
            open(end - at);
            byte[] piece = Arrays.copyOfRange(page, at, end);
            sources.add(piece, piece.length, by);
            scan(piece, 0, piece.length, by);
            at = end;
        }
    }

    /** The end of the last whole pair within the bytes of a piece, or of the first one if that is larger. */
    private int endOfPiece(byte[] page, int at, int until, RecordFormat.Reader by) {
        in.on(page, at, until);
        int end = at;
        while (in.hasMore()) {
            by.skip(in);
            by.skip(in);
            if (in.position() - at > PIECE_BYTES) {
                return end == at ? in.position() : end;
            }
            end = in.position();
        }
        return end;
    }

    private void scan(byte[] page, int from, int until, RecordFormat.Reader by) {
        in.on(page, from, until);
        while (in.hasMore()) {
            int start = in.position();
            EncodedRecords.Kind found = EncodedRecords.kind(page, start);
            if (found == EncodedRecords.Kind.NULL) {
                expectRoomForNull();
                in.moveTo(start + 1);
                by.skip(in);
                run.addNull(sources.row(start + 1, in.position() - start - 1));
            } else if (found == EncodedRecords.Kind.OTHER || kind == SortKeyKind.OTHER || !order.isNatural()) {
                Object key = by.read(in);
                int value = in.position();
                by.skip(in);
                int length = in.position() - value;
                if (key != null) {
                    sample(key, null);
                }
                addRead(key, start, value, length);
            } else {
                addEncoded(found, start, by);
            }
        }
    }

    /** Adds a key whose bytes did not tell what it is; it may be of a fast kind all the same. */
    private void addRead(@Nullable Object key, int start, int value, int length) {
        if (key == null
                || kind == SortKeyKind.OTHER
                || !order.isNatural()
                || SortKeyKind.of(key) == SortKeyKind.OTHER) {
            addObject(key, value, length);
            return;
        }
        SortKeyKind is = SortKeyKind.of(key);
        expectRoom();
        decide(is, key);
        if (is == SortKeyKind.TEXT) {
            run.addText(StringPrefixes.needsWide((String) key), sources.row(start, value + length - start));
        } else {
            run.add(is.prefix(key, order.isDescending()), sources.row(value, length));
        }
    }

    private void addEncoded(EncodedRecords.Kind found, int start, RecordFormat.Reader by) {
        expectRoom();
        SortKeyKind is = SortKeyKind.of(found);
        if (kind != is) {
            decide(is, null);
        }
        if (is == SortKeyKind.TEXT) {
            by.skip(in);
            by.skip(in);
            run.addText(found == EncodedRecords.Kind.WIDE, sources.row(start, in.position() - start));
        } else {
            long prefix = is.prefix(EncodedRecords.readNumber(in), order.isDescending());
            int value = in.position();
            by.skip(in);
            run.add(prefix, sources.row(value, in.position() - value));
        }
    }

    @Override
    public void columns(Column keys, Column values) {
        services.alive().run();
        long bytes = keys.bytes() + values.bytes();
        beginSource();
        if (!booking.take(bytes) && !(spillRun() && booking.take(bytes))) {
            PairConsumer.super.columns(keys, values);
            return;
        }
        open(bytes);
        sources.add(keys, values);
        boolean sampled = keys instanceof Column.Objects || values instanceof Column.Objects;
        if (order.isNatural() && !sampled) {
            addNumbers(keys);
            return;
        }
        for (int i = 0; i < keys.size(); i++) {
            Object key = keys.value(i);
            sample(key, sampled ? values.value(i) : null);
            add(key, i);
        }
    }

    private void addNumbers(Column keys) {
        boolean descending = order.isDescending();
        for (int i = 0; i < keys.size(); i++) {
            expectRoom();
            if (kind == SortKeyKind.OTHER) {
                add(keys.value(i), i); // compared with what came before, which refuses it
            } else if (keys instanceof Column.Longs longs) {
                decide(SortKeyKind.LONG, null);
                run.add(SortKeyKind.LONG.prefix(longs.values()[i], descending), sources.row(i, 0));
            } else if (keys instanceof Column.Ints ints) {
                decide(SortKeyKind.INTEGER, null);
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
            obtain((long) CHUNK_PAIRS * PAIR_BYTES);
            open((long) CHUNK_PAIRS * PAIR_BYTES);
            chunkKeys = new Object[CHUNK_PAIRS];
            chunkValues = new Object[CHUNK_PAIRS];
            chunkSize = 0;
            sources.add(new Column.Objects(chunkKeys, CHUNK_PAIRS), new Column.Objects(chunkValues, CHUNK_PAIRS));
            services.alive().run();
        }
        sample(key, value);
        if (key == null) {
            expectRoomForNull();
        } else {
            expectRoom(); // before the pair is among those that would go to disk
        }
        int place = chunkSize++;
        chunkKeys[place] = key;
        chunkValues[place] = value;
        add(key, place);
    }

    /** Adds a pair of the columns that are being read. */
    private void add(@Nullable Object key, int place) {
        SortKeyKind is = key == null ? null : SortKeyKind.of(key);
        if (key == null || is == SortKeyKind.OTHER || kind == SortKeyKind.OTHER || !order.isNatural()) {
            addObject(key, place, 0);
            return;
        }
        expectRoom();
        decide(is, key);
        if (is == SortKeyKind.TEXT) {
            run.addText(StringPrefixes.needsWide((String) key), sources.row(place, 0));
        } else {
            run.add(is.prefix(key, order.isDescending()), sources.row(place, 0));
        }
    }

    private void addObject(@Nullable Object key, int offset, int length) {
        if (key == null) {
            expectRoomForNull();
            run.addNull(sources.row(offset, length));
            return;
        }
        order.expectComparable(key);
        expectRoom();
        decide(SortKeyKind.OTHER, key);
        run.addKey(key, sources.row(offset, length));
    }

    /** Settles how keys are compared by the first one; later ones must fit. */
    private void decide(SortKeyKind is, @Nullable Object key) {
        if (kind == null) {
            kind = is;
            run.begin(is);
        } else if (kind != is && kind != SortKeyKind.OTHER) {
            throw SortOrder.mixed(kind.type(null), is.type(key), null);
        }
    }

    /** Nothing is read any more of the source before; there is room for one more. */
    private void beginSource() {
        chunkSize = chunkKeys.length; // no more into that
        open = false;
        openBytes = 0;
        if (sources.isFull()) {
            spillRun();
        }
    }

    private void open(long bytes) {
        open = true;
        openBytes = bytes;
    }

    private void expectRoom() {
        while (run.isFull()) { // again when all went to disk and there still is no room
            int capacity = run.capacity();
            int larger = (int) Math.min(InMemoryRun.CAPACITY_MAX, Math.max(CAPACITY_FIRST, 2L * capacity));
            if (obtainOrSpill((long) (larger - capacity) * InMemoryRun.ENTRY_BYTES)) {
                run.resize(larger);
            }
        }
    }

    private void expectRoomForNull() {
        while (run.isFullOfNulls()) {
            int capacity = run.nullsCapacity();
            int larger = (int) Math.min(InMemoryRun.CAPACITY_MAX, Math.max(CAPACITY_FIRST, 2L * capacity));
            if (obtainOrSpill((long) (larger - capacity) * Long.BYTES)) {
                run.resizeNulls(larger);
            }
        }
    }

    /** Whether that memory is there now; else there is room because the run went to disk. */
    private boolean obtainOrSpill(long bytes) {
        if (bytes > 0 && booking.take(bytes)) {
            return true;
        }
        if (spillRun()) {
            return false;
        }
        booking.require(bytes);
        return true;
    }

    private void obtain(long bytes) {
        if (booking.take(bytes) || (spillRun() && booking.take(bytes))) {
            return;
        }
        if (run.isEmpty()) { // its room may be of a time when there was more memory
            run.drop();
            sources.clear(open);
            booking.giveAllBut(openBytes + objectBytes);
        }
        booking.require(bytes);
    }

    /** Counts what a pair's objects take beside the columns. */
    private void sample(@Nullable Object key, @Nullable Object value) {
        AppendOnlySizeEstimator sampling = objects;
        if (sampling == null) {
            sampling = new AppendOnlySizeEstimator(services.sizes().get());
            objects = sampling;
        }
        sampling.added(key, value);
        if (--looks <= 0) {
            long more = sampling.estimate() - objectBytes;
            if (more > 0 && !booking.take(more)) {
                if (spillRun()) { // this pair alone is left
                    sampling.added(key, value);
                    more = sampling.estimate();
                }
                obtain(more);
            }
            objectBytes += Math.max(0, more);
            looks = Math.min(
                    UNCOUNTED_PAIRS_MAX, UNCOUNTED_BYTES / Math.max(1, sampling.estimate() / sampling.count()));
        }
    }

    /** Writes the run to disk and gives back what it took, but for the source that is being read; false when there is none. */
    private boolean spillRun() {
        if (run.isEmpty()) {
            return false;
        }
        run.sort();
        PartitionedFile written = spills.write(run, 0, 0);
        run.clear();
        Arrays.fill(chunkKeys, null);
        Arrays.fill(chunkValues, null);
        sources.clear(open);
        if (objects != null) {
            objects.clear();
        }
        objectBytes = 0;
        looks = 0;
        booking.spilled(booking.giveAllBut(entryBytes() + openBytes), SpilledSortedRuns.bytes(written));
        return true;
    }

    private long entryBytes() {
        return (long) run.capacity() * InMemoryRun.ENTRY_BYTES + (long) run.nullsCapacity() * Long.BYTES;
    }

    /** What was taken, in order; to be gone over once. Nothing is taken any more. */
    public Iterator<Object> sorted() {
        beginSource();
        SortKeyKind is = kind == null ? SortKeyKind.OTHER : kind;
        if (spills.count() > 0) {
            int inputs = obtainInputs();
            spills.mergeDown(inputs, is);
        }
        run.sort();
        SortedPairIterator pairs = new SortedPairIterator(run, spills, is, order, services.alive(), this::close);
        output = pairs;
        return pairs;
    }

    /** How many runs may be read at once. */
    private int obtainInputs() {
        int wanted = Math.min(SpilledSortedRuns.MERGED_MAX, spills.count());
        if (!takeInputs(wanted)) {
            spillRun();
            run.drop(); // nothing is taken any more: its room is for those who read runs
            sources.clear(false);
            booking.giveAllBut(0);
            wanted = Math.min(SpilledSortedRuns.MERGED_MAX, spills.count());
            while (wanted > 2 && !takeInputs(wanted)) {
                wanted = Math.max(2, wanted / 2);
            }
            if (wanted <= 2) {
                takeInputs(wanted); // two are read whatever there is
            }
        }
        return wanted;
    }

    /** Takes what reading so many runs takes; where others take memory too, as much is left to them. */
    private boolean takeInputs(int runs) {
        long bytes = runs * SpilledSortedRuns.INPUT_BYTES;
        boolean taken = booking.take(givesWay ? 2 * bytes : bytes);
        if (taken && givesWay) {
            booking.give(bytes);
        }
        return taken;
    }

    @Override
    public long spill(long wanted) {
        SortedPairIterator pairs = output;
        if (closed || (pairs == null && !givesWay)) {
            return 0; // while it takes pairs nobody of its task takes memory but itself
        }
        if (pairs == null) {
            long held = booking.held();
            spillRun();
            return held - booking.held();
        }
        long written = pairs.spill();
        long inputs = (long) spills.count() * SpilledSortedRuns.INPUT_BYTES;
        run.drop();
        sources.clear(false);
        long given = booking.giveAllBut(Math.min(booking.held(), inputs));
        if (written > 0) {
            booking.spilled(given, written);
        }
        return given;
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
        spills.delete();
        run.drop();
        sources.clear(false);
        booking.giveAllBut(0);
    }
}
