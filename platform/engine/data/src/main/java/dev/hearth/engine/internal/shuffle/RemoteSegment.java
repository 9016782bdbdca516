package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Segment of a map output that another process wrote, read as one segment of a file. Immutable. */
public final class RemoteSegment implements ShuffleSegment {
    private final int records;
    private final FileSegment place;
    private final Supplier<SegmentInput> opening;

    public RemoteSegment(int records, FileSegment place, Supplier<SegmentInput> opening) {
        this.records = records;
        this.place = place;
        this.opening = opening;
    }

    @Override
    public int records() {
        return records;
    }

    @Override
    public long bytes() {
        return place.bytes();
    }

    @Override
    public boolean inMemory() {
        return false;
    }

    @Override
    public Optional<FileSegment> fileSegment() {
        return Optional.of(place);
    }

    @Override
    public Cursor open(RecordFormat.Reader reader) {
        return new StoredSegmentCursor(place.part(), List.of(new OnePart()), List.of(), reader);
    }

    /**
     * The map output file that has this segment, as a {@link PartitionedFile} of which only this segment can be read.
     */
    private final class OnePart implements PartitionedFile {
        @Override
        public int segments() {
            return place.part() + 1;
        }

        @Override
        public long bytes(int part) {
            return part == place.part() ? place.bytes() : 0;
        }

        @Override
        public FileSegment segment(int part) {
            return place;
        }

        @Override
        public SegmentInput open(int part) {
            return opening.get();
        }

        @Override
        public String file() {
            return place.file();
        }

        @Override
        public void delete() {} // the process that wrote the file deletes it
    }
}
