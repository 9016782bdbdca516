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
 * Shuffle writer of a map task: assigns each pair to its reducer and buffers it. Pairs are buffered as objects while
 * all keys and values are immutable; from the first mutable key or value on, they are serialised. Spills to files when
 * memory is refused. Owned by the task's thread; ended by {@link #finish}, or by {@link #close}, which frees an
 * unfinished output.
 */
public final class ShuffleWriter implements PairConsumer, Spillable, AutoCloseable {
    /**
     * Upper bound on the number of files of one map output. If the writer has spilled more files, {@link #finish}
     * merges them into one.
     */
    static final int FILES_MAX = 8;

    private static final int ROUTED_MAX = 256; // keys that are assigned to reducers at a time
    private static final int SAMPLE_LOOKS = 0x3FF; // bit mask: memory for objects is reserved every 1,024 pairs

    private final ShuffleStore store;
    private final ShuffleServices services;
    private final TaskMemory memory;
    private final int shuffle;
    private final int map;
    private final PartitionSelector routing;
    private final ImmutabilityCheck unchangeable;
    private final ShuffleSettings settings;
    private final @Nullable PartitionBuffer[] slots;
    private final int[] records;
    private final int[] routed = new int[ROUTED_MAX];
    private final List<PartitionedFile> files = new ArrayList<>();
    private final PageGrowth growth = new PageGrowth();
    private @Nullable AppendOnlySizeEstimator sampling;
    private RecordFormat.@Nullable Writer writer; // set once pairs must be serialised
    private @Nullable Class<?> keyClass; // class of the last non-null key
    private @Nullable Class<?> valueClass;
    private boolean keyPlain = true; // whether all instances of keyClass are immutable
    private boolean valuePlain = true;
    private boolean numbers; // whether the last key and value were both numbers
    private boolean mixed; // keys or values had several classes: numbers among them are boxed
    private long taken; // bytes reserved from the task's memory
    private long sampled; // part of `taken`: the sampled size of objects
    private long required; // bytes reserved beyond the limit, when nothing was left to spill
    private long looks;
    private int room; // records that may follow before a forced spill
    private boolean ended;

    public ShuffleWriter(
            ShuffleStore store,
            TaskMemory memory,
            int shuffle,
            int map,
            int reducers,
            Optional<Partitioner> partitioner) {
        this.store = store;
        this.services = store.services();
        this.memory = memory;
        this.shuffle = shuffle;
        this.map = map;
        this.routing = PartitionSelector.of(partitioner, reducers);
        this.unchangeable = services.unchangeable();
        this.settings = services.settings();
        this.room = settings.spilledRecords();
        this.slots = new @Nullable PartitionBuffer[reducers];
        this.records = new int[reducers];
    }

    private String subject() {
        return "shuffle " + shuffle + ", map task " + map;
    }

    @Override
    public void pair(@Nullable Object key, @Nullable Object value) {
        if ((key != null && key.getClass() != keyClass) || (value != null && value.getClass() != valueClass)) {
            classChanged(key, value);
        }
        int reducer = routing.reducer(key);
        count(reducer);
        if (writer != null || !((keyPlain && valuePlain) || becomesColumn(key, value))) {
            write(reducer, key, value);
        } else {
            PartitionBuffer slot = slots[reducer];
            if (slot == null || !slot.put(key, value)) {
                putInNew(reducer, key, value);
            }
            if (!numbers || key == null || value == null) {
                sample(key, value);
            }
        }
        if (--room <= 0) {
            spillForOwn();
        }
    }

    private RuntimeException tooMany(int reducer) {
        return ErrorCode.BAD_ARGUMENT.failure(
                subject() + ": more than " + Integer.MAX_VALUE + " records for partition " + reducer
                        + " (expected: at most that many from one task); cut the input or the shuffle into more"
                        + " partitions");
    }

    @Override
    public void columns(Column keys, Column values) {
        for (int from = 0; from < keys.size(); from += ROUTED_MAX) {
            int until = Math.min(keys.size(), from + ROUTED_MAX);
            routing.reducers(keys, from, until, routed);
            if (isOfAnotherClass(keys, keyClass) || isOfAnotherClass(values, valueClass)) {
                classChanged(keys.value(from), values.value(from));
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

    /**
     * Whether the class of the value at index {@code at} alone shows that the value is immutable, without a deeper
     * check.
     */
    private static boolean isPlain(Column column, int at, @Nullable Class<?> known, boolean plain) {
        if (!(column instanceof Column.Objects objects)) {
            return true;
        }
        Object value = objects.values()[at];
        return value == null || (plain && value.getClass() == known);
    }

    /**
     * Whether {@code column} stores primitive numbers, of another class than {@code known}, the class of the values
     * before them.
     */
    private static boolean isOfAnotherClass(Column column, @Nullable Class<?> known) {
        return !(column instanceof Column.Objects) && known != classOf(column);
    }

    private static Class<?> classOf(Column numbers) {
        return numbers instanceof Column.Ints
                ? Integer.class
                : numbers instanceof Column.Longs ? Long.class : Double.class;
    }

    /** As {@link #pair}, for the pair at index {@code at} of two columns, without boxing numbers. */
    private void put(int reducer, Column keys, Column values, int at) {
        count(reducer);
        PartitionBuffer slot = slots[reducer];
        if (slot == null || !slot.put(keys, values, at)) {
            putInNew(reducer, keys.value(at), values.value(at));
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

    private void count(int reducer) {
        if (++records[reducer] < 0) {
            throw tooMany(reducer);
        }
    }

    /**
     * Takes note of the classes of a key and a value, at least one of which differs from that of the previous pair.
     * Fails if the key is an array.
     */
    private void classChanged(@Nullable Object key, @Nullable Object value) {
        if (key != null && key.getClass() != keyClass) {
            requireNoArray(key);
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

    private static void requireNoArray(Object key) {
        if (key.getClass().isArray()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "key of a shuffle: an array, " + key.getClass().getSimpleName()
                            + " (expected: a key with equals and hashCode of its own); make it a list, a string or"
                            + " a record");
        }
    }

    private boolean becomesColumn(@Nullable Object key, @Nullable Object value) {
        return unchangeable.isValue(key) && unchangeable.isValue(value);
    }

    private PartitionBuffer slot(int reducer) {
        PartitionBuffer slot = slots[reducer];
        if (slot == null) {
            slot = new PartitionBuffer();
            slots[reducer] = slot;
        }
        return slot;
    }

    private void putInNew(int reducer, @Nullable Object key, @Nullable Object value) {
        PartitionBuffer slot = slot(reducer);
        if (!slot.put(key, value)) {
            long bytes = slot.arraysBytes(key, value);
            if (!take(bytes)) {
                spillForOwn();
                slot = slot(reducer);
                bytes = slot.arraysBytes(key, value);
                takeOrRequire(bytes);
            }
            slot.open(key, value);
            slot.put(key, value);
        }
    }

    /**
     * Samples the size of a buffered pair. At intervals, reserves memory for the objects of all buffered pairs by the
     * estimate, because measuring every pair would be slow.
     */
    private void sample(@Nullable Object key, @Nullable Object value) {
        AppendOnlySizeEstimator sizes = sampling;
        if (sizes == null) {
            sizes = new AppendOnlySizeEstimator(services.sizes());
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

    private void write(int reducer, @Nullable Object key, @Nullable Object value) {
        RecordFormat.Writer records = writer;
        if (records == null) {
            records = services.records().writer();
            writer = records;
        }
        PartitionBuffer slot = slot(reducer);
        int bytes = slot.pageBytes();
        if (bytes > 0 && !take(bytes)) {
            spillForOwn();
            slot = slot(reducer);
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
            grown = writeAlone(reducer, key, value, records);
        }
        long rest = growth.rest(grown);
        if (rest > 0 && !take(rest)) {
            spillForOwn(); // the pair is in its buffer already, so it is spilled as well
        }
    }

    /**
     * Spills all buffered pairs, then serialises a large pair, for which a shared page could not grow, into a page of
     * its own. Returns by how many bytes the array of that page grew.
     */
    private int writeAlone(int reducer, @Nullable Object key, @Nullable Object value, RecordFormat.Writer records) {
        spillForOwn();
        PartitionBuffer slot = slot(reducer);
        takeOrRequire(slot.pageBytes());
        growth.reset();
        growth.alone = true;
        try {
            return slot.write(key, value, records, growth);
        } finally {
            growth.alone = false;
        }
    }

    /**
     * Reserves memory for a page while it grows for a large pair. Once the pair is written, the memory of the page is
     * accounted for like that of any other page.
     */
    private final class PageGrowth implements RecordOutput.Growth {
        private boolean alone; // whether nothing is left to spill
        private boolean refused;
        private long next; // size of the array that is being created
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
                        + " bytes of memory needed beside the buffered pairs (expected: memory that is free"
                        + " once these pairs are spilled)");
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

        /** Of the {@code grown} bytes by which the page grew, returns the number that is not reserved yet. */
        long rest(int grown) {
            return grown - held;
        }
    }

    /**
     * Releases {@code bytes} of reserved memory: first from the part counted in {@code taken}, then from the part
     * counted in {@code required}.
     */
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

    /**
     * Reserves memory without which the task cannot continue. Fails with {@code MEMORY_EXHAUSTED} if there is too
     * little memory; this writer then has nothing left to spill.
     */
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
        @Nullable List<PairBatch> @Nullable [] batches = batches();
        if (batches != null) {
            PartitionedFile file = MapOutput.write(services, subject(), batches);
            files.add(file);
            memory.spilled(before, MapOutput.bytes(file));
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

    /** Takes the batches out of all buffers, and returns them by reducer. Returns null if no buffer exists. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // a generic array
    private @Nullable List<PairBatch> @Nullable [] batches() {
        @Nullable List<PairBatch> @Nullable [] batches = null;
        for (int reducer = 0; reducer < slots.length; reducer++) {
            PartitionBuffer slot = slots[reducer];
            if (slot != null) {
                if (batches == null) {
                    batches = (@Nullable List<PairBatch>[]) new @Nullable List[slots.length];
                }
                batches[reducer] = slot.finish();
                slots[reducer] = null;
            }
        }
        return batches;
    }

    /** Finishes and returns the map output. The caller then publishes it in the {@link ShuffleStore}, or deletes it. */
    public MapOutput finish() throws CorruptFileException {
        @Nullable List<PairBatch> @Nullable [] batches = batches();
        if (batches != null && services.isServed()) {
            files.add(MapOutput.write(services, subject(), batches));
            batches = null;
        }
        if (files.size() > (services.isServed() ? 1 : FILES_MAX)) {
            mergeFiles();
        }
        long objectBytes = sampling == null ? 0 : sampling.estimate();
        MapOutput output;
        if (batches == null) {
            output = store.onDisk(shuffle, map, records, files, keepTables());
        } else {
            long bytes = PartitionBuffer.bytes(batches) + objectBytes;
            long tables = MapOutput.tableBytes(records.length, files);
            if (keep(bytes + tables)) {
                output = store.inMemory(shuffle, map, records, files, batches, bytes, objectBytes, tables);
            } else {
                files.add(MapOutput.write(services, subject(), batches));
                output = store.onDisk(shuffle, map, records, files, keepTables());
            }
        }
        ended = true;
        giveAll();
        return output;
    }

    /**
     * Converts execution memory for the output's record counts and file offsets to storage memory. Returns the number
     * of bytes converted. Returns 0 if there is too little memory; the counts and offsets, which are small, are then
     * not accounted for.
     */
    private long keepTables() {
        long bytes = MapOutput.tableBytes(records.length, files);
        return keep(bytes) ? bytes : 0;
    }

    /**
     * Converts {@code bytes} of execution memory to storage memory, and first reserves what is missing. Returns false
     * if there is too little memory for that.
     */
    private boolean keep(long bytes) {
        if ((bytes > taken && !take(bytes - taken)) || !memory.keep(bytes, this)) {
            return false;
        }
        taken -= bytes;
        return true;
    }

    /** Merges all files of the output into one file, frame by frame, without deserialising records. */
    private void mergeFiles() throws CorruptFileException {
        PartitionedFileWriter joined = services.files().create(subject(), slots.length, FilePurpose.SHUFFLE);
        try {
            RecordInput in = new RecordInput();
            for (int part = 0; part < slots.length; part++) {
                joined.begin(part);
                for (PartitionedFile file : files) {
                    if (file.bytes(part) > 0) {
                        copy(file, part, in, joined);
                    }
                }
            }
            PartitionedFile whole = joined.finish();
            files.forEach(PartitionedFile::delete);
            files.clear();
            files.add(whole);
        } finally {
            joined.abandon();
        }
    }

    private static void copy(PartitionedFile file, int part, RecordInput in, PartitionedFileWriter joined)
            throws CorruptFileException {
        try (SegmentInput frames = file.open(part)) {
            while (frames.next(in)) {
                joined.write(in.array(), in.position(), in.limit() - in.position());
            }
        }
    }

    /** Frees the memory and deletes the files of the output, unless {@link #finish} has returned it. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            Arrays.fill(slots, null);
            giveAll();
            files.forEach(PartitionedFile::delete);
        }
    }
}
