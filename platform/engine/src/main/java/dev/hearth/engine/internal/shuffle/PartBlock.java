package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.disk.SegmentPart;
import dev.hearth.engine.internal.record.RecordFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a map task of another process has for one reader, as one part of a file. Immutable. */
public final class PartBlock implements PairBlock {
    private final int records;
    private final SegmentPart place;
    private final Supplier<SegmentInput> opening;

    public PartBlock(int records, SegmentPart place, Supplier<SegmentInput> opening) {
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
    public Optional<SegmentPart> place() {
        return Optional.of(place);
    }

    @Override
    public Cursor open(RecordFormat.Reader reader) {
        return new PairCursor(place.part(), List.of(new OnePart()), List.of(), reader);
    }

    /** The file as far as it is known here. */
    private final class OnePart implements Segment {
        @Override
        public int parts() {
            return place.part() + 1;
        }

        @Override
        public long bytes(int part) {
            return part == place.part() ? place.bytes() : 0;
        }

        @Override
        public SegmentPart place(int part) {
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
        public void delete() {} // whoever wrote it does that
    }
}
