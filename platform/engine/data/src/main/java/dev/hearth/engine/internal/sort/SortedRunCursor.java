package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.spill.SpillEntryReader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes over one part of a run on disk, as {@link SortedRunWriter} left it. What cannot be read fails by the name of the file. */
final class SortedRunCursor extends SortedCursor {
    private final SortKeyKind kind;
    private final boolean descending;
    private final boolean keyed;
    private final boolean numbered; // the head of an entry is the number of its key
    private final RecordFormat.Reader reader;
    private final SpillEntryReader entries;
    private final RecordInput pair = new RecordInput(); // what is left of it to be read
    private long prefix;
    private @Nullable Object key;
    private boolean keyMade;
    private boolean closed;

    SortedRunCursor(
            PartitionedFile segment, int part, SortKeyKind kind, boolean descending, RecordFormat.Reader reader) {
        this.kind = kind;
        this.descending = descending;
        this.keyed = part == SortedRunWriter.KEYED;
        this.numbered = keyed && kind.isExact();
        this.reader = reader;
        this.entries = new SpillEntryReader(segment, part, numbered ? Long.BYTES : 0, "sorted pairs");
    }

    @Override
    boolean moved() {
        key = null;
        keyMade = false;
        if (!entries.next()) {
            close();
            return false;
        }
        if (numbered) {
            prefix = entries.headOfLong();
        }
        pair.on(entries.bytes().array(), entries.content(), entries.end());
        if (keyed && kind == SortKeyKind.TEXT) {
            try {
                prefix = StringPrefixes.prefix(pair, 0, false, descending);
            } catch (CorruptRecordException failure) {
                throw entries.damaged(failure);
            }
        }
        return true;
    }

    SpillEntryReader entry() {
        return entries;
    }

    @Override
    long prefix() {
        return prefix;
    }

    @Override
    Object key() {
        if (!keyMade) {
            key = kind.isExact() ? kind.key(prefix, descending) : read(entries.content());
            keyMade = true;
        }
        return Objects.requireNonNull(key);
    }

    @Override
    @Nullable
    Object value() {
        if (keyed && !kind.isExact()) {
            pair.moveTo(entries.content());
            skip();
            return read(pair.position());
        }
        return read(entries.content());
    }

    private void skip() {
        try {
            reader.skip(pair);
        } catch (CorruptRecordException failure) {
            throw entries.damaged(failure);
        }
    }

    private @Nullable Object read(int from) {
        pair.moveTo(from);
        try {
            return reader.read(pair);
        } catch (CorruptRecordException failure) {
            throw entries.damaged(failure);
        }
    }

    @Override
    void write(SortedRunWriter writer) {
        writer.copy(this);
    }

    @Override
    void close() {
        if (!closed) {
            closed = true;
            entries.close();
        }
    }
}
