package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Output of one map task for all reducers: files, followed by batches of pairs in memory. Eviction moves these batches
 * to a further file. Owned by the task attempt that writes the output, later by the {@link ShuffleStore}. Any thread
 * may call. The lock of this object guards the {@link Location}, and is not held while files are written.
 */
public final class MapOutput {
    /** Number of bytes of an output that holds no storage memory. */
    private static final long NONE = 0;

    final int shuffle;
    final int map;
    private final int[] records; // by reducer
    private final LongConsumer drop; // releases storage memory
    private final long totalRecords;
    private volatile Location location;
    // storage memory for the tables, which are record counts and file offsets per reducer; guarded by the lock
    private long tableBytes;
    private boolean evicting;
    private int run; // number of the run, as in ShuffleStore.publish; set before the output is published
    private volatile boolean deleted; // written under the lock

    /**
     * Location of the pairs: first the files, then the batches by reducer. A reducer without batches has null.
     * Immutable.
     */
    @SuppressWarnings("ArrayRecordComponent") // the array never changes, so sharing it is safe
    private record Location(
            List<PartitionedFile> files,
            @Nullable List<PairBatch> @Nullable [] batches,
            long memoryBytes,
            long objectBytes) {
        List<PairBatch> batches(int reducer) {
            List<PairBatch> some = batches == null ? null : batches[reducer];
            return some == null ? List.of() : some;
        }
    }

    /**
     * Creates the output. {@code memoryBytes} is the storage memory of the batches. It includes {@code objectBytes} for
     * the objects to which the batches refer. {@code tableBytes} is the storage memory of the tables: see {@link
     * #tableBytes(int, List)}. {@code drop} releases storage memory.
     */
    MapOutput(
            int shuffle,
            int map,
            int[] records,
            List<PartitionedFile> files,
            @Nullable List<PairBatch> @Nullable [] batches,
            long memoryBytes,
            long objectBytes,
            long tableBytes,
            LongConsumer drop) {
        this.shuffle = shuffle;
        this.map = map;
        this.records = records;
        this.drop = drop;
        this.tableBytes = tableBytes;
        this.totalRecords = sum(records);
        this.location = new Location(List.copyOf(files), batches, memoryBytes, objectBytes);
    }

    private static long sum(int[] records) {
        long total = 0;
        for (int some : records) {
            total += some;
        }
        return total;
    }

    /**
     * Returns the size in bytes of an output's tables, which are its record counts and file offsets per reducer. The
     * tables stay in memory even if the pairs are on disk.
     */
    static long tableBytes(int reducers, List<PartitionedFile> files) {
        long bytes = (long) Integer.BYTES * reducers;
        for (PartitionedFile file : files) {
            bytes += file.indexBytes();
        }
        return bytes;
    }

    String subject() {
        return "shuffle " + shuffle + ", map task " + map;
    }

    int reducers() {
        return records.length;
    }

    int run() {
        return run;
    }

    void setRun(int number) {
        run = number;
    }

    /**
     * Returns the output as a file that other executors may copy; empty if it has batches in memory or several files.
     */
    Optional<MapOutputFile> stored(int maps) {
        Location now = location;
        if (deleted || now.batches != null || now.files.size() > 1) {
            return Optional.empty();
        }
        Optional<String> file = now.files.stream().map(PartitionedFile::file).findFirst();
        return Optional.of(new MapOutputFile(file, maps, run, records.clone()));
    }

    /** The file of this output, which other processes read; empty if it has no records. */
    Optional<PartitionedFile> file() {
        return location.files.stream().findFirst();
    }

    int[] recordCounts() {
        return records.clone();
    }

    /** Frees the memory of this output, and leaves its file to the shuffle service. */
    void leaveToService() {
        release().forEach(PartitionedFile::leave);
    }

    /** Bytes of storage memory that the batches in memory take; 0 if there are none. */
    long memoryBytes() {
        return location.memoryBytes;
    }

    ShuffleSegment block(int reducer) {
        return new Block(reducer);
    }

    /** Number of records for all reducers together. */
    public long totalRecords() {
        return totalRecords;
    }

    public long totalBytes() {
        long total = 0;
        for (int reducer = 0; reducer < records.length; reducer++) {
            total += bytes(reducer);
        }
        return total;
    }

    private long bytes(int reducer) {
        Location now = location;
        long bytes = 0;
        for (PartitionedFile file : now.files) {
            bytes += file.bytes(reducer);
        }
        for (PairBatch batch : now.batches(reducer)) {
            bytes += batch.bytes();
        }
        return bytes + shareOf(now.objectBytes, reducer);
    }

    /**
     * Estimates which part of {@code objectBytes} belongs to one reducer, in proportion to its number of records.
     * {@code objectBytes} is the size of the objects for all reducers together.
     */
    private long shareOf(long objectBytes, int reducer) {
        return objectBytes == 0 ? 0 : Math.round(objectBytes * (records[reducer] / (double) totalRecords));
    }

    /**
     * Evicts the batches in memory to a file, and returns the number of bytes of memory freed. Returns 0 if no batches
     * are in memory, if another thread is evicting them, or if eviction would free nothing.
     */
    long evict(ShuffleServices services) {
        Location before;
        synchronized (this) {
            before = location;
            if (deleted || evicting || before.batches == null || before.memoryBytes <= indexBytes()) { // frees nothing
                return 0;
            }
            evicting = true;
        }
        PartitionedFile written = null;
        try {
            written = write(services, subject(), before.batches);
        } finally {
            if (!evicted(before, written) && written != null) {
                written.delete();
                written = null;
            }
        }
        if (written == null) {
            return 0;
        }
        long freed = before.memoryBytes - written.indexBytes();
        drop.accept(freed);
        return freed;
    }

    /** Estimates the size in bytes of a file's index in memory, before the batches are written to that file. */
    private long indexBytes() {
        return Integer.BYTES * (records.length + 1L);
    }

    /**
     * Completes an eviction: the pairs are now in the file {@code written}. Returns false if nothing was written, or
     * if the output was deleted meanwhile; the deletion has then released the memory.
     */
    private synchronized boolean evicted(Location before, @Nullable PartitionedFile written) {
        evicting = false;
        if (written == null || deleted) {
            return false;
        }
        List<PartitionedFile> files = new ArrayList<>(before.files);
        files.add(written);
        location = new Location(List.copyOf(files), null, NONE, NONE);
        tableBytes += written.indexBytes();
        return true;
    }

    /**
     * Writes the batches of all reducers to a new file, with one segment per reducer. An element of {@code batches} is
     * null if the reducer has none.
     */
    static PartitionedFile write(
            ShuffleServices services, String subject, @Nullable List<PairBatch> @Nullable [] batches) {
        PartitionedFileWriter writer = services.files().create(subject, batches.length, FilePurpose.SHUFFLE);
        try {
            PairFrameWriter frames = new PairFrameWriter(writer, services::records);
            for (int reducer = 0; reducer < batches.length; reducer++) {
                List<PairBatch> some = batches[reducer];
                if (some != null) {
                    frames.begin(reducer);
                    some.forEach(frames::add);
                }
            }
            frames.flush();
            return writer.finish();
        } finally {
            writer.abandon();
        }
    }

    /**
     * Verifies the checksums of this output's files. Files are verified whole while their total stays within {@code
     * bytesMax} bytes. Of any other file, only the segment of {@code reducer} and the last segment are verified; a
     * truncated file lacks the last segment. Returns the size in bytes of the files that were verified whole.
     */
    long verify(int reducer, long bytesMax) throws CorruptFileException {
        long checked = 0;
        for (PartitionedFile file : location.files) {
            long all = bytes(file);
            boolean whole = checked + all <= bytesMax;
            boolean last = !whole;
            for (int part = file.segments() - 1; part >= 0; part--) {
                if (file.bytes(part) > 0 && (whole || last || part == reducer)) {
                    verify(file, part);
                    last = false;
                }
            }
            checked += whole ? all : 0;
        }
        return checked;
    }

    private static void verify(PartitionedFile file, int part) throws CorruptFileException {
        RecordInput in = new RecordInput();
        try (SegmentInput frames = file.open(part)) {
            boolean more = true;
            while (more) {
                more = frames.next(in); // next() verifies the checksums
            }
        }
    }

    /** Returns the number of bytes on disk of all segments of {@code file} together. */
    static long bytes(PartitionedFile file) {
        long bytes = 0;
        for (int part = 0; part < file.segments(); part++) {
            bytes += file.bytes(part);
        }
        return bytes;
    }

    /**
     * Frees the memory of this output and deletes its files. A reducer that is reading the output continues with the
     * memory or file that it has open, or fails.
     */
    public void delete() {
        release().forEach(PartitionedFile::delete);
    }

    private List<PartitionedFile> release() {
        Location last;
        long kept;
        synchronized (this) {
            last = location;
            kept = last.memoryBytes + tableBytes;
            tableBytes = NONE;
            deleted = true; // set before the location becomes empty
            location = new Location(List.of(), null, NONE, NONE);
        }
        if (kept > 0) {
            drop.accept(kept);
        }
        return last.files;
    }

    /**
     * Cursor over a segment of an output that was deleted. Reading always fails, because an empty cursor would hide the
     * loss of the pairs.
     */
    private final class DeletedCursor implements ShuffleSegment.Cursor {
        @Override
        public boolean send(PairConsumer receiver) throws CorruptFileException {
            throw new CorruptFileException(
                    subject() + ": deleted before it was read (expected: available until its shuffle is removed)");
        }

        @Override
        public void close() {}
    }

    /** Segment of this output for one reducer. */
    final class Block implements ShuffleSegment {
        private final int reducer;

        Block(int reducer) {
            this.reducer = reducer;
        }

        int reducer() {
            return reducer;
        }

        MapOutput output() {
            return MapOutput.this;
        }

        @Override
        public int records() {
            return records[reducer];
        }

        @Override
        public long bytes() {
            return MapOutput.this.bytes(reducer);
        }

        @Override
        public boolean inMemory() {
            return location.files.isEmpty();
        }

        @Override
        public Optional<FileSegment> fileSegment() {
            List<PartitionedFile> files = location.files;
            return files.size() == 1 && files.get(0).bytes(reducer) > 0
                    ? Optional.of(files.get(0).segment(reducer))
                    : Optional.empty();
        }

        @Override
        public Cursor open(RecordFormat.Reader records) {
            Location now = location; // read before `deleted`, so that a deleted output is never seen as an empty one
            if (deleted) {
                return new DeletedCursor();
            }
            return new StoredSegmentCursor(reducer, now.files, now.batches(reducer), records);
        }
    }
}
