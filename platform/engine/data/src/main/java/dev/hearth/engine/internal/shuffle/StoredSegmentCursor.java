package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cursor over the pairs of one map task for one reducer: segments of files, then batches in memory. Owned by
 * one thread.
 */
final class StoredSegmentCursor implements ShuffleSegment.Cursor {
    private final int part;
    private final Iterator<PartitionedFile> segments;
    private final Iterator<PairBatch> pieces;
    private final RecordFormat.Reader reader;
    private final RecordInput in = new RecordInput();
    private @Nullable SegmentInput input;
    private String file = "";

    StoredSegmentCursor(int part, List<PartitionedFile> segments, List<PairBatch> pieces, RecordFormat.Reader reader) {
        this.part = part;
        this.segments = segments.iterator();
        this.pieces = pieces.iterator();
        this.reader = reader;
    }

    @Override
    public boolean send(PairConsumer receiver) throws CorruptFileException {
        if (in.hasMore() || nextFrame()) {
            sendSection(receiver);
            return true;
        }
        if (pieces.hasNext()) {
            pieces.next().send(receiver, reader);
            return true;
        }
        return false;
    }

    private boolean nextFrame() throws CorruptFileException {
        while (true) {
            SegmentInput open = input;
            if (open != null) {
                if (open.next(in)) {
                    return true;
                }
                close();
            }
            if (!segments.hasNext()) {
                return false;
            }
            PartitionedFile next = segments.next();
            if (next.bytes(part) > 0) {
                file = next.file();
                input = next.open(part);
            }
        }
    }

    private void sendSection(PairConsumer receiver) throws CorruptFileException {
        switch (in.readByte()) {
            case PairFrameWriter.PAGE -> {
                int length = in.readInt();
                in.expect(length);
                sendPage(receiver, in.position() + length);
            }
            case PairFrameWriter.WHOLE_PAGE -> {
                if (!nextFrame()) {
                    throw new CorruptFileException(file + ": segment " + part
                            + " ends before its last page (expected: the page that was announced)");
                }
                sendPage(receiver, in.limit());
            }
            case PairFrameWriter.COLUMNS -> {
                int kinds = in.readByte();
                int size = in.readInt();
                Column keys = column(PairFrameWriter.keyKind(kinds), size);
                receiver.columns(keys, column(PairFrameWriter.valueKind(kinds), size));
            }
            default ->
                throw new CorruptFileException(
                        file + ": segment " + part + " has a section of unknown kind (expected: a page or columns)");
        }
    }

    private void sendPage(PairConsumer receiver, int until) throws CorruptFileException {
        int from = in.position();
        in.moveTo(until);
        try {
            receiver.encoded(in.array(), from, until, false, LazyRecordReader.unwrapped(reader));
        } catch (CorruptRecordException damage) {
            throw new CorruptFileException(file + ": segment " + part + ": " + damage.getMessage(), damage);
        }
    }

    private Column column(int kind, int size) {
        if (kind == PairFrameWriter.INTS) {
            in.expect(size * Integer.BYTES);
            int[] ints = new int[size];
            for (int i = 0; i < size; i++) {
                ints[i] = in.readInt();
            }
            return new Column.Ints(ints, size);
        }
        in.expect(size * Long.BYTES);
        if (kind == PairFrameWriter.LONGS) {
            long[] longs = new long[size];
            for (int i = 0; i < size; i++) {
                longs[i] = in.readLong();
            }
            return new Column.Longs(longs, size);
        }
        double[] doubles = new double[size];
        for (int i = 0; i < size; i++) {
            doubles[i] = in.readDouble();
        }
        return new Column.Doubles(doubles, size);
    }

    @Override
    public void close() {
        SegmentInput open = input;
        input = null;
        in.moveTo(in.limit());
        if (open != null) {
            open.close();
        }
    }
}
