package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one map task has for all readers: segments, and behind them what is in memory, until that is moved to a segment as well.
 * Belongs to the attempt that made it, then to the {@link ShuffleStore}. Any thread may call; where it lies is guarded by its
 * own lock, which is not held while files are written.
 */
public final class MapOutput {
    /** Nothing is in memory. */
    private static final long NONE = 0;

    final int shuffle;
    final int map;
    private final int[] records; // by reader
    private final LongConsumer drop; // gives kept memory back
    private final long totalRecords;
    private volatile Place place;
    private long
            tableBytes; // kept for what is known of readers: records, and where their parts lie; guarded by the lock
    private boolean moving;
    private int run; // which of those that take the place of one another; written before it is published
    private volatile boolean deleted; // written under the lock

    /** Where it lies now: pieces by reader, null for those that have none. Immutable. */
    @SuppressWarnings("ArrayRecordComponent") // never changed by anybody
    private record Place(
            List<PartitionedFile> segments,
            @Nullable List<PairBatch> @Nullable [] pieces,
            long memoryBytes,
            long objectBytes) {
        List<PairBatch> pieces(int reader) {
            List<PairBatch> some = pieces == null ? null : pieces[reader];
            return some == null ? List.of() : some;
        }
    }

    /**
     * {@code memoryBytes} is what was kept for the pieces, of that {@code objectBytes} for what they refer to; {@code tableBytes} for
     * what {@link #tableBytes(int, List)} says; {@code drop} takes it back.
     */
    MapOutput(
            int shuffle,
            int map,
            int[] records,
            List<PartitionedFile> segments,
            @Nullable List<PairBatch> @Nullable [] pieces,
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
        this.place = new Place(List.copyOf(segments), pieces, memoryBytes, objectBytes);
    }

    private static long sum(int[] records) {
        long total = 0;
        for (int some : records) {
            total += some;
        }
        return total;
    }

    /** What is held for each output as long as it is there, wherever its pairs lie. */
    static long tableBytes(int readers, List<PartitionedFile> segments) {
        long bytes = (long) Integer.BYTES * readers;
        for (PartitionedFile segment : segments) {
            bytes += segment.indexBytes();
        }
        return bytes;
    }

    String subject() {
        return "shuffle " + shuffle + ", map task " + map;
    }

    int readers() {
        return records.length;
    }

    int run() {
        return run;
    }

    void ofRun(int number) {
        run = number;
    }

    /** As others may copy it; empty when it does not lie in one file. */
    Optional<MapOutputFile> stored(int maps) {
        Place now = place;
        if (deleted || now.pieces != null || now.segments.size() > 1) {
            return Optional.empty();
        }
        Optional<String> file = now.segments.stream().map(PartitionedFile::file).findFirst();
        return Optional.of(new MapOutputFile(file, maps, run, records.clone()));
    }

    /** What is kept in memory for it. */
    long memoryBytes() {
        return place.memoryBytes;
    }

    ShuffleSegment block(int reader) {
        return new Block(reader);
    }

    /** The records and bytes of all readers together. */
    public long totalRecords() {
        return totalRecords;
    }

    public long totalBytes() {
        long total = 0;
        for (int reader = 0; reader < records.length; reader++) {
            total += bytes(reader);
        }
        return total;
    }

    private long bytes(int reader) {
        Place now = place;
        long bytes = 0;
        for (PartitionedFile segment : now.segments) {
            bytes += segment.bytes(reader);
        }
        for (PairBatch piece : now.pieces(reader)) {
            bytes += piece.bytes();
        }
        return bytes + shareOf(now.objectBytes, reader);
    }

    /** What objects take is known of all readers together alone. */
    private long shareOf(long objectBytes, int reader) {
        return objectBytes == 0 ? 0 : Math.round(objectBytes * (records[reader] / (double) totalRecords));
    }

    /** Moves what is in memory to disk; returns how many bytes that freed, 0 when there is nothing or somebody does it. */
    long evict(ShuffleServices parts) {
        Place before;
        synchronized (this) {
            before = place;
            if (deleted || moving || before.pieces == null || before.memoryBytes <= indexBytes()) { // gains nothing
                return 0;
            }
            moving = true;
        }
        PartitionedFile written = null;
        try {
            written = write(parts, subject(), before.pieces);
        } finally {
            if (!moved(before, written) && written != null) {
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

    /** What one more segment adds to the tables, as long as it is no larger than most. */
    private long indexBytes() {
        return Integer.BYTES * (records.length + 1L);
    }

    /** Ends a move; false when nothing was moved, or the output was deleted meanwhile, which has given the memory back. */
    private synchronized boolean moved(Place before, @Nullable PartitionedFile written) {
        moving = false;
        if (written == null || deleted) {
            return false;
        }
        List<PartitionedFile> segments = new ArrayList<>(before.segments);
        segments.add(written);
        place = new Place(List.copyOf(segments), null, NONE, NONE);
        tableBytes += written.indexBytes();
        return true;
    }

    /** Writes pieces to a segment with a part for each reader. */
    static PartitionedFile write(ShuffleServices parts, String subject, @Nullable List<PairBatch> @Nullable [] pieces) {
        PartitionedFileWriter writer = parts.files().create(subject, pieces.length, FilePurpose.SHUFFLE);
        try {
            PairFrameWriter frames = new PairFrameWriter(writer, parts::records);
            for (int reader = 0; reader < pieces.length; reader++) {
                List<PairBatch> some = pieces[reader];
                if (some != null) {
                    frames.begin(reader);
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
     * Reads what lies on disk: for {@code reader}, and for all others where that is no more than {@code most} bytes, else the end of
     * the file, which is what is cut off of one. Returns how much was read for the others.
     */
    long check(int reader, long most) throws CorruptFileException {
        long checked = 0;
        for (PartitionedFile segment : place.segments) {
            long all = bytes(segment);
            boolean whole = checked + all <= most;
            boolean last = !whole;
            for (int part = segment.parts() - 1; part >= 0; part--) {
                if (segment.bytes(part) > 0 && (whole || last || part == reader)) {
                    check(segment, part);
                    last = false;
                }
            }
            checked += whole ? all : 0;
        }
        return checked;
    }

    private static void check(PartitionedFile segment, int part) throws CorruptFileException {
        RecordInput in = new RecordInput();
        try (SegmentInput frames = segment.open(part)) {
            boolean more = true;
            while (more) {
                more = frames.next(in); // which compares checksums
            }
        }
    }

    /** The bytes of all its parts. */
    static long bytes(PartitionedFile segment) {
        long bytes = 0;
        for (int part = 0; part < segment.parts(); part++) {
            bytes += segment.bytes(part);
        }
        return bytes;
    }

    /** Frees memory and files. Those who read it go on with what they hold, or fail. */
    public void delete() {
        Place last;
        long kept;
        synchronized (this) {
            last = place;
            kept = last.memoryBytes + tableBytes;
            tableBytes = NONE;
            deleted = true; // before it looks empty
            place = new Place(List.of(), null, NONE, NONE);
        }
        if (kept > 0) {
            drop.accept(kept);
        }
        last.segments.forEach(PartitionedFile::delete);
    }

    /** Whoever reads what was deleted is to fail, and not to see nothing. */
    private final class Gone implements ShuffleSegment.Cursor {
        @Override
        public boolean send(PairConsumer receiver) throws CorruptFileException {
            throw new CorruptFileException(
                    subject() + ": given up before it was read (expected: there as long as it is)");
        }

        @Override
        public void close() {}
    }

    /** What it has for one reader. */
    final class Block implements ShuffleSegment {
        private final int reader;

        Block(int reader) {
            this.reader = reader;
        }

        int reader() {
            return reader;
        }

        MapOutput output() {
            return MapOutput.this;
        }

        @Override
        public int records() {
            return records[reader];
        }

        @Override
        public long bytes() {
            return MapOutput.this.bytes(reader);
        }

        @Override
        public boolean inMemory() {
            return place.segments.isEmpty();
        }

        @Override
        public Optional<FileSegment> place() {
            List<PartitionedFile> segments = place.segments;
            return segments.size() == 1 && segments.get(0).bytes(reader) > 0
                    ? Optional.of(segments.get(0).place(reader))
                    : Optional.empty();
        }

        @Override
        public Cursor open(RecordFormat.Reader records) {
            Place now = place; // before the question whether that is all
            if (deleted) {
                return new Gone();
            }
            return new StoredSegmentCursor(reader, now.segments, now.pieces(reader), records);
        }
    }
}
