package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.record.DamagedRecord;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.record.RecordInput;
import dev.hearth.spi.error.ErrorCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes over one part of a run on disk, as {@link RunWriter} left it. What cannot be read fails by the name of the file. */
final class RunCursor extends Cursor {
    private final Segment segment;
    private final KeyKind kind;
    private final boolean descending;
    private final boolean keyed;
    private final RecordFormat.Reader reader;
    private final SegmentInput input;
    private final RecordInput frame = new RecordInput(); // what is left of it behind the pair
    private final RecordInput pair = new RecordInput(); // what is left of it to be read
    private int start; // of the pair, its number included
    private int content; // where it begins behind number and length
    private long prefix;
    private @Nullable Object key;
    private boolean keyMade;
    private boolean closed;

    RunCursor(Segment segment, int part, KeyKind kind, boolean descending, RecordFormat.Reader reader) {
        this.segment = segment;
        this.kind = kind;
        this.descending = descending;
        this.keyed = part == RunWriter.KEYED;
        this.reader = reader;
        this.input = segment.open(part);
    }

    @Override
    boolean moved() {
        key = null;
        keyMade = false;
        try {
            if (!frame.hasMore() && !input.next(frame)) {
                close();
                return false;
            }
            start = frame.position();
            if (keyed && kind.isExact()) {
                prefix = frame.readLong();
            }
            int length = frame.readInt();
            frame.expect(length);
            content = frame.position();
            frame.moveTo(content + length);
            pair.on(frame.array(), content, content + length);
            if (keyed && kind == KeyKind.TEXT) {
                prefix = TextOrder.prefix(pair, 0, false, descending);
            }
        } catch (DamagedSegment | DamagedRecord failure) {
            throw damaged(failure);
        }
        return true;
    }

    private RuntimeException damaged(Exception failure) {
        String found = failure instanceof DamagedSegment
                ? String.valueOf(failure.getMessage())
                : segment.file() + ": " + failure.getMessage();
        return ErrorCode.FILE_DAMAGED.failure("sorted pairs that did not fit in memory: " + found, failure);
    }

    @Override
    long prefix() {
        return prefix;
    }

    @Override
    Object key() {
        if (!keyMade) {
            key = kind.isExact() ? kind.key(prefix, descending) : read(content);
            keyMade = true;
        }
        return Objects.requireNonNull(key);
    }

    @Override
    @Nullable
    Object value() {
        if (keyed && !kind.isExact()) {
            pair.moveTo(content);
            skip();
            return read(pair.position());
        }
        return read(content);
    }

    private void skip() {
        try {
            reader.skip(pair);
        } catch (DamagedRecord failure) {
            throw damaged(failure);
        }
    }

    private @Nullable Object read(int from) {
        pair.moveTo(from);
        try {
            return reader.read(pair);
        } catch (DamagedRecord failure) {
            throw damaged(failure);
        }
    }

    @Override
    void write(RunWriter writer) {
        writer.copy(frame.array(), start, frame.position() - start);
    }

    @Override
    void close() {
        if (!closed) {
            closed = true;
            input.close();
        }
    }
}
