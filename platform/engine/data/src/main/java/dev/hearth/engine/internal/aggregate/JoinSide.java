package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of one side (one input) of a grouping or join. They are appended in the order of arrival, each with the slot
 * of its key (the key's number in the table). Later they are grouped by key into one column. Owned by a
 * {@link HashGrouper}, which reserves memory before a side grows. The reservation includes the memory that grouping
 * will need.
 */
final class JoinSide {
    private static final int BOX_BYTES = 16;
    private static final int FIRST_VALUES = 16; // initial capacity of each column builder

    private final ColumnBuilder slots = new ColumnBuilder();
    private final ColumnBuilder values = new ColumnBuilder();
    private int[] counts; // by slot: how many values the key has; after grouping, where the key's values end
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
     * Number of bytes to reserve before a value of the type {@code added} is added. It is 0 if the arrays have a free
     * element. It is also 0 if this side is empty, because the initial reservation covers the first arrays.
     */
    long roomBytes(Kind added) {
        if (slots.size() == 0) {
            return 0;
        }
        long bytes = slots.left() == 0 ? slots.roomBytes(Kind.INTS) : 0;
        if (values.wantsRoom(added)) {
            // twice the bytes, because grouping copies the values to a second array
            bytes += 2 * values.roomBytes(added);
            if (values.kind().with(added) != values.kind()) {
                bytes += (long) values.size() * (BOX_BYTES + Kind.OBJECTS.width());
            }
        }
        return bytes;
    }

    /**
     * Number of values of the type {@code added} that can be added once {@link #roomBytes} are reserved, before memory
     * must be reserved again. At least one.
     */
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

    /**
     * Groups the values by key with a counting sort; values of one key stay in the order of arrival. {@code keys} is
     * the number of keys in the table of the {@link HashGrouper}.
     */
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
        int slotIndex = 0; // index in the current chunk of slot numbers
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

    /**
     * All values of this side as one column, in the order of the slots of their keys. So the values of one key are
     * adjacent.
     */
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
