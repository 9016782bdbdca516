package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of one side of a grouping or join. They are appended in the order of arrival, each with the slot of its key,
 * and then grouped by key into one column. Owned by a {@link HashGrouper}, which reserves memory before this grows,
 * including the memory for grouping.
 */
final class JoinSide {
    private static final int BOX_BYTES = 16;
    private static final int FIRST_VALUES = 16; // initial capacity of a builder

    private final ColumnBuilder slots = new ColumnBuilder();
    private final ColumnBuilder values = new ColumnBuilder();
    private int[] counts; // by slot: number of values; once grouped, the end of the key's values
    private @Nullable Column grouped;

    JoinSide(int keys) {
        counts = new int[keys];
    }

    static long firstBytes(int keys) {
        return (long) keys * Integer.BYTES + FIRST_VALUES * (Integer.BYTES + 2L * Long.BYTES);
    }

    void grow(int keys) {
        counts = Arrays.copyOf(counts, keys);
    }

    int size() {
        return values.size();
    }

    boolean hasObjects() {
        return values.kind() == Kind.OBJECTS;
    }

    /**
     * Bytes that adding one more value of this kind allocates: 0 when nothing grows, or when the initial reservation
     * covers it.
     */
    long roomBytes(Kind added) {
        if (slots.size() == 0) {
            return 0;
        }
        long bytes = slots.left() == 0 ? slots.roomBytes(Kind.INTS) : 0;
        if (values.wantsRoom(added)) {
            bytes += 2 * values.roomBytes(added); // the same amount again for grouping
            if (values.kind().with(added) != values.kind()) {
                bytes += (long) values.size() * (BOX_BYTES + Kind.OBJECTS.width());
            }
        }
        return bytes;
    }

    /** How many values of this kind fit without further growth, once there is room for the next one; at least one. */
    int room(Kind added) {
        return values.wantsRoom(added) || slots.left() == 0 ? 1 : Math.min(slots.left(), values.left());
    }

    void addSlot(int slot) {
        slots.addInt(slot);
        counts[slot]++;
    }

    void addValue(@Nullable Object value) {
        values.add(value);
    }

    void addValues(Column column, int from, int until) {
        values.addAll(column, from, until);
    }

    boolean isGrouped() {
        return grouped != null;
    }

    /** Groups the values of the first {@code keys} keys by slot, in the order of arrival: a counting sort. */
    void groupByKey(int keys) {
        int total = 0;
        for (int slot = 0; slot < keys; slot++) {
            int count = counts[slot];
            counts[slot] = total;
            total += count;
        }
        Kind kind = values.kind();
        grouped = switch (kind) {
            case INTS -> new Column.Ints(new int[total], total);
            case LONGS -> new Column.Longs(new long[total], total);
            case DOUBLES -> new Column.Doubles(new double[total], total);
            case NONE, OBJECTS -> new Column.Objects(new @Nullable Object[total], total);
        };
        scatter(slots.chunks(), values.chunks(), grouped);
    }

    private void scatter(List<Column> slotChunks, List<Column> valueChunks, Column target) {
        int chunk = 0;
        int slotIndex = 0; // index in the current chunk of slots
        for (Column column : valueChunks) {
            int from = 0;
            while (from < column.size()) {
                Column.Ints numbers = (Column.Ints) slotChunks.get(chunk);
                int count = Math.min(column.size() - from, numbers.size() - slotIndex);
                scatterChunk(numbers.values(), slotIndex, column, from, count, target);
                from += count;
                slotIndex += count;
                if (slotIndex == numbers.size()) {
                    chunk++;
                    slotIndex = 0;
                }
            }
        }
    }

    private void scatterChunk(int[] numbers, int slotIndex, Column column, int from, int count, Column target) {
        int[] next = counts;
        if (target instanceof Column.Ints ints && column instanceof Column.Ints source) {
            for (int i = 0; i < count; i++) {
                ints.values()[next[numbers[slotIndex + i]]++] = source.values()[from + i];
            }
        } else if (target instanceof Column.Longs longs && column instanceof Column.Longs source) {
            for (int i = 0; i < count; i++) {
                longs.values()[next[numbers[slotIndex + i]]++] = source.values()[from + i];
            }
        } else if (target instanceof Column.Doubles doubles && column instanceof Column.Doubles source) {
            for (int i = 0; i < count; i++) {
                doubles.values()[next[numbers[slotIndex + i]]++] = source.values()[from + i];
            }
        } else {
            @Nullable Object[] objects = ((Column.Objects) target).values();
            for (int i = 0; i < count; i++) {
                objects[next[numbers[slotIndex + i]]++] = column.value(from + i);
            }
        }
    }

    /** All values, grouped by key. */
    Column grouped() {
        Column column = grouped;
        if (column == null) {
            throw new IllegalStateException("values by key: not grouped yet (expected: a call of groupByKey before)");
        }
        return column;
    }

    int from(int slot) {
        return slot == 0 ? 0 : counts[slot - 1];
    }

    int until(int slot) {
        return counts[slot];
    }

    void clear(int keys) {
        slots.clear();
        values.clear();
        counts = new int[keys];
        grouped = null;
    }
}
