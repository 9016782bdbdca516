package dev.hearth.engine.internal.shuffle;

import dev.hearth.api.HearthException;
import dev.hearth.api.Partitioner;
import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.memory.AppendOnlySizeEstimator;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes a map task's pairs and parts them by reader: as they are while nobody can change them, as bytes from the first pair on that
 * somebody could. Spills to segments when memory is refused. Owned by the task's thread; ends by {@link #finish}, or {@link
 * #close}, which frees what was not finished.
 */
public final class ShuffleWriter implements PairConsumer, Spillable, AutoCloseable {
    /** Segments of one output; more are joined to one. */
    static final int SEGMENTS_MAX = 8;

    private static final int ROUTED_MAX = 256; // keys of a column at a time
    private static final int SAMPLE_LOOKS = 0x3FF; // what objects take is looked at once in so many pairs

    private final ShuffleStore store;
    private final ShuffleServices parts;
    private final TaskMemory memory;
    private final int shuffle;
    private final int map;
    private final PartitionSelector routing;
    private final ImmutabilityCheck unchangeable;
    private final ShuffleSettings settings;
    private final @Nullable PartitionBuffer[] slots;
    private final int[] records;
    private final int[] routed = new int[ROUTED_MAX];
    private final List<PartitionedFile> segments = new ArrayList<>();
    private final PageGrowth growth = new PageGrowth();
    private @Nullable AppendOnlySizeEstimator sampling;
    private RecordFormat.@Nullable Writer writer; // once pairs become bytes
    private @Nullable Class<?> keyClass; // of the last one that was not null
    private @Nullable Class<?> valueClass;
    private boolean keyPlain = true; // whether all of that class are unchangeable
    private boolean valuePlain = true;
    private boolean numbers; // whether both of the last ones became numbers
    private boolean mixed; // there were several classes of keys or of values: numbers among them are boxed
    private long taken; // of the task's memory
    private long sampled; // of that, for objects
    private long required; // what was needed and would not be spilled for
    private long looks;
    private int room; // records until all is spilled, room or not
    private boolean ended;

    public ShuffleWriter(
            ShuffleStore store,
            TaskMemory memory,
            int shuffle,
            int map,
            int readers,
            Optional<Partitioner> partitioner) {
        this.store = store;
        this.parts = store.parts();
        this.memory = memory;
        this.shuffle = shuffle;
        this.map = map;
        this.routing = PartitionSelector.of(partitioner, readers);
        this.unchangeable = parts.unchangeable();
        this.settings = parts.settings();
        this.room = settings.spilledRecords();
        this.slots = new @Nullable PartitionBuffer[readers];
        this.records = new int[readers];
    }

    private String subject() {
        return "shuffle " + shuffle + ", map task " + map;
    }

    @Override
    public void pair(@Nullable Object key, @Nullable Object value) {
        if ((key != null && key.getClass() != keyClass) || (value != null && value.getClass() != valueClass)) {
            meet(key, value);
        }
        int reader = routing.reader(key);
        count(reader);
        if (writer != null || !((keyPlain && valuePlain) || becomesColumn(key, value))) {
            write(reader, key, value);
        } else {
            PartitionBuffer slot = slots[reader];
            if (slot == null || !slot.put(key, value)) {
                putInNew(reader, key, value);
            }
            if (!numbers || key == null || value == null) {
                sample(key, value);
            }
        }
        if (--room <= 0) {
            spillForOwn();
        }
    }

    private RuntimeException tooMany(int reader) {
        return ErrorCode.BAD_ARGUMENT.failure(
                subject() + ": more than " + Integer.MAX_VALUE + " records for partition " + reader
                        + " (expected: at most so many of one task); cut the input or the shuffle into more partitions");
    }

    @Override
    public void columns(Column keys, Column values) {
        for (int from = 0; from < keys.size(); from += ROUTED_MAX) {
            int until = Math.min(keys.size(), from + ROUTED_MAX);
            routing.readers(keys, from, until, routed);
            if (isStrange(keys, keyClass) || isStrange(values, valueClass)) {
                meet(keys.value(from), values.value(from));
            }
            for (int at = from; at < until; at++) {
                if (writer == null
                        && isPlain(keys, at, keyClass, keyPlain)
                        && isPlain(values, at, valueClass, valuePlain)) {
                    put(routed[at - from], keys, values, at);
                } else {
                    pair(keys.value(at), values.value(at));
                }
            }
        }
    }

    /** Whether nobody can change a value, as far as that is known without looking into it. */
    private static boolean isPlain(Column column, int at, @Nullable Class<?> known, boolean plain) {
        if (!(column instanceof Column.Objects objects)) {
            return true;
        }
        Object value = objects.values()[at];
        return value == null || (plain && value.getClass() == known);
    }

    /** Whether these are numbers of another class than what came before. */
    private static boolean isStrange(Column column, @Nullable Class<?> known) {
        return !(column instanceof Column.Objects) && known != classOf(column);
    }

    private static Class<?> classOf(Column numbers) {
        return numbers instanceof Column.Ints
                ? Integer.class
                : numbers instanceof Column.Longs ? Long.class : Double.class;
    }

    /** As {@link #pair}, without boxes. */
    private void put(int reader, Column keys, Column values, int at) {
        count(reader);
        PartitionBuffer slot = slots[reader];
        if (slot == null || !slot.put(keys, values, at)) {
            putInNew(reader, keys.value(at), values.value(at));
        }
        if (mixed || keys instanceof Column.Objects || values instanceof Column.Objects) {
            sample(
                    mixed || keys instanceof Column.Objects ? keys.value(at) : null,
                    mixed || values instanceof Column.Objects ? values.value(at) : null);
        }
        if (--room <= 0) {
            spillForOwn();
        }
    }

    private void count(int reader) {
        if (++records[reader] < 0) {
            throw tooMany(reader);
        }
    }

    /** Another class of keys or values than before. */
    private void meet(@Nullable Object key, @Nullable Object value) {
        if (key != null && key.getClass() != keyClass) {
            refuseArray(key);
            mixed |= keyClass != null;
            keyClass = key.getClass();
            keyPlain = unchangeable.isAlways(keyClass);
        }
        if (value != null && value.getClass() != valueClass) {
            mixed |= valueClass != null;
            valueClass = value.getClass();
            valuePlain = unchangeable.isAlways(valueClass);
        }
        numbers = !mixed
                && ColumnBuffer.kind(key) != ColumnBuffer.OBJECTS
                && ColumnBuffer.kind(value) != ColumnBuffer.OBJECTS;
    }

    private static void refuseArray(Object key) {
        if (key.getClass().isArray()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "key of a shuffle: an array, " + key.getClass().getSimpleName()
                            + " (expected: a key with equals and hashCode of its own); make it a list, a string or a record");
        }
    }

    private boolean becomesColumn(@Nullable Object key, @Nullable Object value) {
        return unchangeable.isValue(key) && unchangeable.isValue(value);
    }

    private PartitionBuffer slot(int reader) {
        PartitionBuffer slot = slots[reader];
        if (slot == null) {
            slot = new PartitionBuffer();
            slots[reader] = slot;
        }
        return slot;
    }

    private void putInNew(int reader, @Nullable Object key, @Nullable Object value) {
        PartitionBuffer slot = slot(reader);
        if (!slot.put(key, value)) {
            long bytes = slot.arraysBytes(key, value);
            if (!take(bytes)) {
                spillForOwn();
                slot = slot(reader);
                bytes = slot.arraysBytes(key, value);
                takeOrRequire(bytes);
            }
            slot.open(key, value);
            slot.put(key, value);
        }
    }

    /** What objects take is only guessed, and so taken afterwards. */
    private void sample(@Nullable Object key, @Nullable Object value) {
        AppendOnlySizeEstimator sizes = sampling;
        if (sizes == null) {
            sizes = new AppendOnlySizeEstimator(parts.sizes());
            sampling = sizes;
        }
        sizes.added(key, value);
        if ((++looks & SAMPLE_LOOKS) == 0) {
            long more = sizes.estimate() - sampled;
            if (more > 0) {
                if (take(more)) {
                    sampled += more;
                } else {
                    spillForOwn();
                }
            }
        }
    }

    private void write(int reader, @Nullable Object key, @Nullable Object value) {
        RecordFormat.Writer records = writer;
        if (records == null) {
            records = parts.records().writer();
            writer = records;
        }
        PartitionBuffer slot = slot(reader);
        int bytes = slot.pageBytes();
        if (bytes > 0 && !take(bytes)) {
            spillForOwn();
            slot = slot(reader);
            takeOrRequire(slot.pageBytes());
        }
        boolean shared = slot.isShared();
        growth.reset();
        int grown;
        try {
            grown = slot.write(key, value, records, growth);
        } catch (HearthException refused) {
            if (!growth.refused && !(shared && refused.code().equals(ErrorCode.BAD_ARGUMENT.name()))) {
                throw refused;
            }
            grown = writeAlone(reader, key, value, records);
        }
        long rest = growth.rest(grown);
        if (rest > 0 && !take(rest)) {
            spillForOwn(); // the pair goes with it
        }
    }

    /** Writes a large pair to a page of its own, with all else on disk. */
    private int writeAlone(int reader, @Nullable Object key, @Nullable Object value, RecordFormat.Writer records) {
        spillForOwn();
        PartitionBuffer slot = slot(reader);
        takeOrRequire(slot.pageBytes());
        growth.reset();
        growth.alone = true;
        try {
            return slot.write(key, value, records, growth);
        } finally {
            growth.alone = false;
        }
    }

    /** Memory for the page of a large pair while it is written, which is then as good as any other page's. */
    private final class PageGrowth implements RecordOutput.Growth {
        private boolean alone; // there is nothing left to spill
        private boolean refused;
        private long next; // for the array that is being made
        private long held;

        void reset() {
            refused = false;
            held = 0;
        }

        @Override
        public int begin(int least, int wanted) {
            if (take(wanted)) {
                next = wanted;
                return wanted;
            }
            if (!alone) {
                refused = true;
                throw ErrorCode.MEMORY_EXHAUSTED.failure(subject() + ", one record: " + wanted
                        + " bytes of memory wanted beside what it holds (expected: once that is on disk)");
            }
            takeOrRequire(least);
            next = least;
            return least;
        }

        @Override
        public void end() {
            ShuffleWriter.this.give(held);
            held = next;
        }

        /** What of so many bytes was not taken yet. */
        long rest(int grown) {
            return grown - held;
        }
    }

    /** Gives back of what was taken, then of what was required. */
    private void give(long bytes) {
        long back = Math.min(bytes, taken);
        taken -= back;
        required -= bytes - back;
        if (back > 0) {
            memory.give(back, this);
        }
        if (bytes > back) {
            memory.give(bytes - back);
        }
    }

    private boolean take(long bytes) {
        if (bytes > settings.spilledBytes() - taken) {
            return false;
        }
        long got = memory.take(bytes, this);
        if (got < bytes) {
            memory.give(got, this);
            return false;
        }
        taken += bytes;
        return true;
    }

    /** For what is needed to get anywhere, with nothing left to spill. */
    private void takeOrRequire(long bytes) {
        if (!take(bytes)) {
            memory.require(bytes, subject());
            required += bytes;
        }
    }

    private void spillForOwn() {
        spill(Long.MAX_VALUE);
    }

    @Override
    public long spill(long wanted) {
        if ((taken == 0 && required == 0) || ended || growth.alone) {
            return 0;
        }
        long before = taken + required;
        @Nullable List<PairBatch> @Nullable [] pieces = pieces();
        if (pieces != null) {
            PartitionedFile segment = MapOutput.write(parts, subject(), pieces);
            segments.add(segment);
            memory.spilled(before, MapOutput.bytes(segment));
        }
        long freed = taken;
        giveAll();
        return freed;
    }

    private void giveAll() {
        long all = taken;
        long needed = required;
        taken = 0;
        required = 0;
        sampled = 0;
        room = settings.spilledRecords();
        if (sampling != null) {
            sampling.clear();
        }
        if (all > 0) {
            memory.give(all, this);
        }
        if (needed > 0) {
            memory.give(needed);
        }
    }

    /** Takes everything out of the slots; null when there is nothing. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of lists
    private @Nullable List<PairBatch> @Nullable [] pieces() {
        @Nullable List<PairBatch> @Nullable [] pieces = null;
        for (int reader = 0; reader < slots.length; reader++) {
            PartitionBuffer slot = slots[reader];
            if (slot != null) {
                if (pieces == null) {
                    pieces = (@Nullable List<PairBatch>[]) new @Nullable List[slots.length];
                }
                pieces[reader] = slot.finish();
                slots[reader] = null;
            }
        }
        return pieces;
    }

    /** Ends it; the output is the caller's to publish or to discard. */
    public MapOutput finish() throws CorruptFileException {
        @Nullable List<PairBatch> @Nullable [] pieces = pieces();
        if (pieces != null && parts.isServed()) {
            segments.add(MapOutput.write(parts, subject(), pieces));
            pieces = null;
        }
        if (segments.size() > (parts.isServed() ? 1 : SEGMENTS_MAX)) {
            join();
        }
        long objectBytes = sampling == null ? 0 : sampling.estimate();
        MapOutput output;
        if (pieces == null) {
            output = store.onDisk(shuffle, map, records, segments, keepTables());
        } else {
            long bytes = PartitionBuffer.bytes(pieces) + objectBytes;
            long tables = MapOutput.tableBytes(records.length, segments);
            if (keep(bytes + tables)) {
                output = store.inMemory(shuffle, map, records, segments, pieces, bytes, objectBytes, tables);
            } else {
                segments.add(MapOutput.write(parts, subject(), pieces));
                output = store.onDisk(shuffle, map, records, segments, keepTables());
            }
        }
        ended = true;
        giveAll();
        return output;
    }

    /** What there is room for of what is held of an output on disk: without it there is none. */
    private long keepTables() {
        long bytes = MapOutput.tableBytes(records.length, segments);
        return keep(bytes) ? bytes : 0;
    }

    /** Makes kept memory of what was taken, if there may be so much of it. */
    private boolean keep(long bytes) {
        if ((bytes > taken && !take(bytes - taken)) || !memory.keep(bytes, this)) {
            return false;
        }
        taken -= bytes;
        return true;
    }

    /** Makes one segment of all, frame by frame. */
    private void join() throws CorruptFileException {
        PartitionedFileWriter joined = parts.files().create(subject(), slots.length, FilePurpose.SHUFFLE);
        try {
            RecordInput in = new RecordInput();
            for (int part = 0; part < slots.length; part++) {
                joined.begin(part);
                for (PartitionedFile segment : segments) {
                    if (segment.bytes(part) > 0) {
                        copy(segment, part, in, joined);
                    }
                }
            }
            PartitionedFile whole = joined.finish();
            segments.forEach(PartitionedFile::delete);
            segments.clear();
            segments.add(whole);
        } finally {
            joined.abandon();
        }
    }

    private static void copy(PartitionedFile segment, int part, RecordInput in, PartitionedFileWriter joined)
            throws CorruptFileException {
        try (SegmentInput frames = segment.open(part)) {
            while (frames.next(in)) {
                joined.write(in.array(), in.position(), in.limit() - in.position());
            }
        }
    }

    /** Frees what was not finished. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            Arrays.fill(slots, null);
            giveAll();
            segments.forEach(PartitionedFile::delete);
        }
    }
}
