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
 * Brings together what several runs have of a key, in the order in which the keys were first seen: the entries of the runs, merged
 * by hash codes, are sorted by the numbers of their keys, on disk again where memory does not suffice. Owned by one thread.
 */
final class FirstSeenOrderGroups implements SpilledGroups {
    private final ExternalSorter sorter;
    private final Iterator<Object> pieces;
    private final MergeReservation memory;
    private final int sides;
    private @Nullable Pair<?, ?> ahead; // of a number and the first piece of the next group; null after the last

    /** What one entry of a run has. Sorted as an array, which every format of records can write. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
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
            @Nullable Object[] array = (@Nullable Object[]) FirstSeenOrder.value(sorted);
            return new Piece((Integer) array[0], (Integer) array[1], array[2], (@Nullable Object[]) array[3]);
        }
    }

    FirstSeenOrderGroups(AggregationServices bench, SpilledHashRuns runs, int sides) {
        this.memory = new MergeReservation(bench);
        this.sides = sides;
        this.sorter = FirstSeenOrder.sorter(bench);
        try {
            sort(bench, runs);
            runs.close(); // its files are read: their room is for those of the sort
            memory.clear();
            this.pieces = sorter.sorted();
            advance();
        } catch (RuntimeException | Error failed) { // nobody else knows the sorter
            close();
            throw failed;
        }
    }

    /** Hands over each entry under the number of its key, which is the first of those that its entries have. */
    private void sort(AggregationServices bench, SpilledHashRuns runs) {
        RecordFormat.Reader format = bench.format().reader();
        KeyHashTable keys = new KeyHashTable(bench::checkKilled); // of one hash code
        List<Long> numbers = new ArrayList<>(); // of these
        try (HashRunMerge merge = runs.merge()) {
            int hash = 0;
            while (merge.next()) {
                bench.checkKilled();
                HashRunCursor entry = merge.entry();
                if (numbers.isEmpty() || entry.hash() != hash) {
                    hash = entry.hash();
                    keys.beginObjects();
                    numbers.clear();
                    memory.clear();
                }
                try {
                    add(entry, format, keys, numbers);
                } catch (CorruptRecordException failure) {
                    throw entry.entry().damaged(failure);
                }
            }
        }
    }

    private void add(HashRunCursor entry, RecordFormat.Reader format, KeyHashTable keys, List<Long> numbers) {
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
        if (slot == numbers.size()) {
            numbers.add(number);
            memory.add(keyBytes);
        }
        Piece piece = new Piece(side, bytes, key, values(in, format));
        sorter.pair(numbers.get(slot), piece.array());
    }

    private static @Nullable Object[] values(RecordInput in, RecordFormat.Reader format) {
        @Nullable Object[] values = new @Nullable Object[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = format.read(in);
        }
        return values;
    }

    private void advance() {
        ahead = pieces.hasNext() ? (Pair<?, ?>) pieces.next() : null;
    }

    @Override
    public boolean hasNext() {
        return ahead != null;
    }

    @Override
    public void next(GroupCursor cursor) {
        Pair<?, ?> first = ahead;
        if (first == null) {
            throw new IllegalStateException("groups: no more (expected: asked for before)");
        }
        memory.clear();
        @Nullable ColumnBuilder[] builders = new @Nullable ColumnBuilder[sides];
        cursor.on(Piece.of(first).key());
        for (Pair<?, ?> each = first; each != null && each.key().equals(first.key()); each = ahead) {
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
        ahead = null;
        sorter.close();
        memory.close();
    }
}
