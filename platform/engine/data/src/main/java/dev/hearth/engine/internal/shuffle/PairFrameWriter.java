package dev.hearth.engine.internal.shuffle;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes pairs to a file in frames. A frame is a series of sections. A section is either a page of records after the
 * page's length, or two columns of numbers after their types and size. A large page is a frame of its own, after a
 * frame of one byte that announces it. Owned by one thread.
 */
final class PairFrameWriter {
    static final int PAGE = 0;
    static final int COLUMNS = 1;
    static final int WHOLE_PAGE = 2;

    static final int INTS = 0;
    static final int LONGS = 1;
    static final int DOUBLES = 2;
    private static final int KINDS = 3;

    private static final byte[] WHOLE_PAGE_FOLLOWS = {WHOLE_PAGE};
    /**
     * Upper bound on the bytes of a page that shares a frame with other sections. A longer page becomes a frame of its
     * own, which saves a copy.
     */
    private static final int COPIED_BYTES_MAX = PartitionedFileWriter.FRAME_BYTES / 2;

    private static final int BUFFER_BYTES = PartitionedFileWriter.FRAME_BYTES + PartitionedFileWriter.FRAME_BYTES / 4;
    private static final int PAGE_HEAD_BYTES = 1 + Integer.BYTES;

    private final PartitionedFileWriter segment;
    private final Supplier<RecordFormat> format;
    private RecordOutput frame = new RecordOutput(BUFFER_BYTES);
    private RecordFormat.@Nullable Writer records; // created when the first objects are written

    PairFrameWriter(PartitionedFileWriter segment, Supplier<RecordFormat> format) {
        this.segment = segment;
        this.format = format;
    }

    void begin(int part) {
        flush();
        segment.begin(part);
    }

    void add(PairBatch piece) {
        if (piece instanceof PairBatch.Page page) {
            addPage(page.array(), page.length());
        } else {
            PairBatch.Columns columns = (PairBatch.Columns) piece;
            if (columns.keys() instanceof Column.Objects || columns.values() instanceof Column.Objects) {
                addObjects(columns.keys(), columns.values());
            } else {
                addNumbers(columns.keys(), columns.values());
            }
        }
        if (frame.position() >= PartitionedFileWriter.FRAME_BYTES) {
            flush();
        }
    }

    private void addPage(byte[] array, int length) {
        if (length <= COPIED_BYTES_MAX) {
            frame.writeByte(PAGE);
            frame.writeInt(length);
            frame.write(array, 0, length);
        } else {
            flush();
            segment.write(WHOLE_PAGE_FOLLOWS, 0, 1);
            segment.write(array, 0, length);
        }
    }

    private void addNumbers(Column keys, Column values) {
        frame.writeByte(COLUMNS);
        frame.writeByte(kind(keys) * KINDS + kind(values));
        frame.writeInt(keys.size());
        addNumbers(keys);
        addNumbers(values);
    }

    private static int kind(Column column) {
        return column instanceof Column.Ints ? INTS : column instanceof Column.Longs ? LONGS : DOUBLES;
    }

    static int keyKind(int kinds) {
        return kinds / KINDS;
    }

    static int valueKind(int kinds) {
        return kinds % KINDS;
    }

    private void addNumbers(Column column) {
        if (column instanceof Column.Ints ints) {
            for (int i = 0; i < ints.size(); i++) {
                frame.writeInt(ints.values()[i]);
            }
        } else if (column instanceof Column.Longs longs) {
            for (int i = 0; i < longs.size(); i++) {
                frame.writeLong(longs.values()[i]);
            }
        } else {
            Column.Doubles doubles = (Column.Doubles) column;
            for (int i = 0; i < doubles.size(); i++) {
                frame.writeDouble(doubles.values()[i]);
            }
        }
    }

    private void addObjects(Column keys, Column values) {
        RecordFormat.Writer writer = writer();
        int lengthAt = beginPage();
        for (int i = 0; i < keys.size(); i++) {
            int start = frame.position();
            try {
                addPair(keys.value(i), values.value(i), writer);
            } catch (HearthException refused) {
                if (start <= PAGE_HEAD_BYTES || !refused.code().equals(ErrorCode.BAD_ARGUMENT.name())) {
                    throw refused;
                }
                frame.moveTo(start); // a large pair may only fit into a frame of its own
                endPage(lengthAt);
                flush();
                lengthAt = beginPage();
                addPair(keys.value(i), values.value(i), writer);
            }
            if (frame.position() >= PartitionedFileWriter.FRAME_BYTES) {
                endPage(lengthAt);
                flush();
                lengthAt = beginPage();
            }
        }
        endPage(lengthAt);
    }

    private void addPair(@Nullable Object key, @Nullable Object value, RecordFormat.Writer writer) {
        writer.write(key, frame);
        writer.write(value, frame);
    }

    private int beginPage() {
        frame.writeByte(PAGE);
        frame.writeInt(0);
        return frame.position();
    }

    private void endPage(int begin) {
        int end = frame.position();
        frame.moveTo(begin - Integer.BYTES);
        frame.writeInt(end - begin);
        frame.moveTo(end);
    }

    private RecordFormat.Writer writer() {
        RecordFormat.Writer known = records;
        if (known == null) {
            known = format.get().writer();
            records = known;
            flush();
            frame = known.output(BUFFER_BYTES);
        }
        return known;
    }

    /** Writes the current frame to the file. Must be called after the last batch. */
    void flush() {
        if (frame.position() > 0) {
            segment.write(frame.array(), 0, frame.position());
            frame.moveTo(0);
        }
    }
}
