package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.sort.ExternalSorter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the groups of several runs (sorted spill files). Returns the groups in the order in which their keys were
 * first seen. A merge by hash code finds the sequence number of each key. Then the entries of the runs are sorted by
 * that number. The sort may spill again. Owned by one thread.
 */
final class FirstSeenOrderGroups implements SpilledGroups {
    private final ExternalSorter sorter;
    private final Iterator<Object> pieces;
    private final MergeReservation memory;
    private final int sides;
    // sequence number and first piece of the next group; null after the last group
    private @Nullable Pair<?, ?> nextPiece;

    /**
     * One entry of a run: a part of a key's values from one side of the join. {@code bytes} is the serialised size of
     * the entry. The entry is sorted as an array, which every record format can serialise when the sort spills.
     */
    @SuppressWarnings("ArrayRecordComponent") // this record is never compared or modified
    private record Piece(
            int side,
            int bytes,
            @Nullable Object key,
            @Nullable Object[] values) {
        @Nullable
        Object[] array() {
            return new @Nullable Object[] {side, bytes, key, values};
        }

        static Piece of(Object sorted) {
            @Nullable Object[] array = (@Nullable Object[]) FirstSeenOrder.payload(sorted);
            return new Piece((Integer) array[0], (Integer) array[1], array[2], (@Nullable Object[]) array[3]);
        }
    }

    FirstSeenOrderGroups(AggregationServices services, SpilledHashRuns runs, int sides) {
        this.memory = new MergeReservation(services);
        this.sides = sides;
        this.sorter = FirstSeenOrder.sorter(services);
        try {
            sort(services, runs);
            runs.close(); // all runs have been read: free their disk space before the sort needs it
            memory.clear();
            this.pieces = sorter.sorted();
            advance();
        } catch (RuntimeException | Error failed) { // close here, because the caller gets no object to close
            close();
            throw failed;
        }
    }

    /**
     * Passes each entry to the sorter with the sequence number of its key, which is the least number among the key's
     * entries.
     */
    private void sort(AggregationServices services, SpilledHashRuns runs) {
        RecordFormat.Reader format = services.format().reader();
        KeyHashTable keys = new KeyHashTable(services::checkKilled); // the keys that have the current hash code
        List<Long> sequenceNumbers = new ArrayList<>(); // the sequence number of each of these keys
        try (HashRunMerge merge = runs.merge()) {
            int hash = 0;
            while (merge.next()) {
                services.checkKilled();
                HashRunCursor entry = merge.entry();
                if (sequenceNumbers.isEmpty() || entry.hash() != hash) {
                    hash = entry.hash();
                    keys.clearForObjects();
                    sequenceNumbers.clear();
                    memory.clear();
                }
                try {
                    add(entry, format, keys, sequenceNumbers);
                } catch (CorruptRecordException failure) {
                    throw entry.entry().corruption(failure);
                }
            }
        }
    }

    private void add(HashRunCursor entry, RecordFormat.Reader format, KeyHashTable keys, List<Long> sequenceNumbers) {
        RecordInput in = entry.input();
        long number = in.readLong();
        int bytes = entry.end() - in.position();
        int side = in.readSize();
        int from = in.position();
        Object key = format.read(in);
        int keyBytes = in.position() - from;
        if (keys.isFull()) {
            keys.grow();
        }
        int slot = keys.slotOfObject(key, entry.hash());
        if (slot == sequenceNumbers.size()) {
            sequenceNumbers.add(number);
            memory.add(keyBytes);
        }
        Piece piece = new Piece(side, bytes, key, values(in, format));
        sorter.pair(sequenceNumbers.get(slot), piece.array());
    }

    private static @Nullable Object[] values(RecordInput in, RecordFormat.Reader format) {
        @Nullable Object[] values = new @Nullable Object[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = format.read(in);
        }
        return values;
    }

    private void advance() {
        nextPiece = pieces.hasNext() ? (Pair<?, ?>) pieces.next() : null;
    }

    @Override
    public boolean hasNext() {
        return nextPiece != null;
    }

    @Override
    public void next(GroupCursor cursor) {
        Pair<?, ?> first = nextPiece;
        if (first == null) {
            throw new IllegalStateException("groups: no more (expected: a call of hasNext before)");
        }
        memory.clear();
        @Nullable ColumnBuilder[] builders = new @Nullable ColumnBuilder[sides];
        cursor.moveTo(Piece.of(first).key());
        for (Pair<?, ?> each = first; each != null && each.key().equals(first.key()); each = nextPiece) {
            add(Piece.of(each), builders);
            advance();
        }
        for (int side = 0; side < sides; side++) {
            ColumnBuilder builder = builders[side];
            Column column = builder == null ? GroupCursor.NOTHING : builder.build();
            cursor.side(side, column, 0, column.size());
        }
    }

    private void add(Piece piece, @Nullable ColumnBuilder[] builders) {
        memory.add(piece.bytes());
        ColumnBuilder builder = builders[piece.side()];
        if (builder == null) {
            builder = new ColumnBuilder();
            builders[piece.side()] = builder;
        }
        for (Object value : piece.values()) {
            builder.add(value);
        }
    }

    @Override
    public void close() {
        nextPiece = null;
        sorter.close();
        memory.close();
    }
}
