package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.spill.SpillEntryReader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cursor over one part of a spilled run, in the format of {@link SortedRunWriter}. Read errors name the file. */
final class SortedRunCursor extends SortedCursor {
    private final SortKeyKind kind;
    private final boolean descending;
    private final boolean keyed;
    private final boolean prefixed; // the head of an entry is the prefix of its key
    private final RecordFormat.Reader reader;
    private final SpillEntryReader entries;
    private final RecordInput pair = new RecordInput(); // the part of the current entry that is not read yet
    private long prefix;
    private @Nullable Object key;
    private boolean keyRead;
    private boolean closed;

    SortedRunCursor(
            PartitionedFile segment, int part, SortKeyKind kind, boolean descending, RecordFormat.Reader reader) {
        this.kind = kind;
        this.descending = descending;
        this.keyed = part == SortedRunWriter.KEYED;
        this.prefixed = keyed && kind.isExact();
        this.reader = reader;
        this.entries = new SpillEntryReader(segment, part, prefixed ? Long.BYTES : 0, "sorted pairs");
    }

    @Override
    boolean tryAdvance() {
        key = null;
        keyRead = false;
        if (!entries.next()) {
            close();
            return false;
        }
        if (prefixed) {
            prefix = entries.headOfLong();
        }
        pair.on(entries.bytes().array(), entries.content(), entries.end());
        if (keyed && kind == SortKeyKind.TEXT) {
            try {
                prefix = StringPrefixes.prefix(pair, 0, false, descending);
            } catch (CorruptRecordException failure) {
                throw entries.corruption(failure);
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
        if (!keyRead) {
            key = kind.isExact() ? kind.key(prefix, descending) : read(entries.content());
            keyRead = true;
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
            throw entries.corruption(failure);
        }
    }

    private @Nullable Object read(int from) {
        pair.moveTo(from);
        try {
            return reader.read(pair);
        } catch (CorruptRecordException failure) {
            throw entries.corruption(failure);
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
