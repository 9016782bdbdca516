package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.record.DamagedRecord;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.record.RecordInput;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes over what one map task has for one reader: parts of segments, then pieces in memory. Owned by one thread. */
final class PairCursor implements PairBlock.Cursor {
    private final int part;
    private final Iterator<Segment> segments;
    private final Iterator<PairPiece> pieces;
    private final RecordFormat.Reader reader;
    private final RecordInput in = new RecordInput();
    private @Nullable SegmentInput input;
    private String file = "";

    PairCursor(int part, List<Segment> segments, List<PairPiece> pieces, RecordFormat.Reader reader) {
        this.part = part;
        this.segments = segments.iterator();
        this.pieces = pieces.iterator();
        this.reader = reader;
    }

    @Override
    public boolean send(PairReceiver receiver) throws DamagedSegment {
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

    private boolean nextFrame() throws DamagedSegment {
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
            Segment next = segments.next();
            if (next.bytes(part) > 0) {
                file = next.file();
                input = next.open(part);
            }
        }
    }

    private void sendSection(PairReceiver receiver) throws DamagedSegment {
        switch (in.readByte()) {
            case PairFrames.PAGE -> {
                int length = in.readInt();
                in.expect(length);
                sendPage(receiver, in.position() + length);
            }
            case PairFrames.WHOLE_PAGE -> {
                if (!nextFrame()) {
                    throw new DamagedSegment(
                            file + ": part " + part + " ends before its last page (expected: that page)");
                }
                sendPage(receiver, in.limit());
            }
            case PairFrames.COLUMNS -> {
                int kinds = in.readByte();
                int size = in.readInt();
                Column keys = column(PairFrames.keyKind(kinds), size);
                receiver.columns(keys, column(PairFrames.valueKind(kinds), size));
            }
            default -> throw new DamagedSegment(file + ": part " + part + " has a section of no known kind");
        }
    }

    private void sendPage(PairReceiver receiver, int until) throws DamagedSegment {
        int from = in.position();
        in.moveTo(until);
        try {
            receiver.encoded(in.array(), from, until, false, LateReader.made(reader));
        } catch (DamagedRecord damage) {
            throw new DamagedSegment(file + ": part " + part + ": " + damage.getMessage(), damage);
        }
    }

    private Column column(int kind, int size) {
        if (kind == PairFrames.INTS) {
            in.expect(size * Integer.BYTES);
            int[] ints = new int[size];
            for (int i = 0; i < size; i++) {
                ints[i] = in.readInt();
            }
            return new Column.Ints(ints, size);
        }
        in.expect(size * Long.BYTES);
        if (kind == PairFrames.LONGS) {
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
