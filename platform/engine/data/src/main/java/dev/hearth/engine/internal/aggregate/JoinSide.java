package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one side: first as they come, each with the number of its key, then {@link #arrange}d by key, in one column.
 * Owned by a {@link HashGrouper}, which takes memory before this grows, that for arranging with it.
 */
final class JoinSide {
    private static final int BOX_BYTES = 16;
    private static final int FIRST_VALUES = 16; // of a builder

    private final ColumnBuilder slots = new ColumnBuilder();
    private final ColumnBuilder values = new ColumnBuilder();
    private int[] counts; // by key; once arranged, where its values end
    private @Nullable Column arranged;

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

    /** What it takes to add one more value of this kind: 0 when nothing grows, or what it takes is there from the beginning. */
    long roomBytes(Kind added) {
        if (slots.size() == 0) {
            return 0;
        }
        long bytes = slots.left() == 0 ? slots.roomBytes(Kind.INTS) : 0;
        if (values.wantsRoom(added)) {
            bytes += 2 * values.roomBytes(added); // to be arranged too
            if (values.kind().with(added) != values.kind()) {
                bytes += (long) values.size() * (BOX_BYTES + Kind.OBJECTS.width());
            }
        }
        return bytes;
    }

    /** How many values of this kind fit without growing, once one does. */
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

    boolean isArranged() {
        return arranged != null;
    }

    /** Puts the values of each of the first {@code keys} keys side by side, in the order they came. */
    void arrange(int keys) {
        int total = 0;
        for (int slot = 0; slot < keys; slot++) {
            int count = counts[slot];
            counts[slot] = total;
            total += count;
        }
        Kind kind = values.kind();
        arranged = switch (kind) {
            case INTS -> new Column.Ints(new int[total], total);
            case LONGS -> new Column.Longs(new long[total], total);
            case DOUBLES -> new Column.Doubles(new double[total], total);
            case NONE, OBJECTS -> new Column.Objects(new @Nullable Object[total], total);
        };
        scatter(slots.chunks(), values.chunks(), arranged);
    }

    private void scatter(List<Column> slotChunks, List<Column> valueChunks, Column target) {
        int chunk = 0;
        int at = 0; // in that chunk of slots
        for (Column column : valueChunks) {
            int from = 0;
            while (from < column.size()) {
                Column.Ints numbers = (Column.Ints) slotChunks.get(chunk);
                int count = Math.min(column.size() - from, numbers.size() - at);
                move(numbers.values(), at, column, from, count, target);
                from += count;
                at += count;
                if (at == numbers.size()) {
                    chunk++;
                    at = 0;
                }
            }
        }
    }

    private void move(int[] numbers, int at, Column column, int from, int count, Column target) {
        int[] next = counts;
        if (target instanceof Column.Ints ints && column instanceof Column.Ints source) {
            for (int i = 0; i < count; i++) {
                ints.values()[next[numbers[at + i]]++] = source.values()[from + i];
            }
        } else if (target instanceof Column.Longs longs && column instanceof Column.Longs source) {
            for (int i = 0; i < count; i++) {
                longs.values()[next[numbers[at + i]]++] = source.values()[from + i];
            }
        } else if (target instanceof Column.Doubles doubles && column instanceof Column.Doubles source) {
            for (int i = 0; i < count; i++) {
                doubles.values()[next[numbers[at + i]]++] = source.values()[from + i];
            }
        } else {
            @Nullable Object[] objects = ((Column.Objects) target).values();
            for (int i = 0; i < count; i++) {
                objects[next[numbers[at + i]]++] = column.value(from + i);
            }
        }
    }

    /** All values, once arranged. */
    Column arranged() {
        Column column = arranged;
        if (column == null) {
            throw new IllegalStateException("values by key: not arranged (expected: before they are read)");
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
        arranged = null;
    }
}
