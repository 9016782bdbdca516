package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.column.ColumnList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Position in an iteration over groups: the current key, and the place of the key's values on each side of the join.
 * Owned by one {@link HashGrouper}.
 */
final class GroupCursor {
    static final Column NOTHING = new Column.Objects(new @Nullable Object[0], 0);

    private final Column[] columns;
    private final int[] from;
    private final int[] until;
    private @Nullable Object key;

    GroupCursor(int sides) {
        columns = new Column[sides];
        Arrays.fill(columns, NOTHING);
        from = new int[sides];
        until = new int[sides];
    }

    void moveTo(@Nullable Object next) {
        key = next;
    }

    void side(int side, Column column, int first, int end) {
        columns[side] = column;
        from[side] = first;
        until[side] = end;
    }

    /**
     * Copies the values of the current key to columns of their own. Then the columns with the values of all keys can be
     * released.
     */
    void detach() {
        for (int side = 0; side < columns.length; side++) {
            columns[side] = ColumnList.slice(columns[side], from[side], until[side]);
            until[side] -= from[side];
            from[side] = 0;
        }
    }

    void clear() {
        key = null;
        for (int side = 0; side < columns.length; side++) {
            side(side, NOTHING, 0, 0);
        }
    }

    @Nullable
    Object key() {
        return key;
    }

    int size(int side) {
        return until[side] - from[side];
    }

    @Nullable
    Object value(int side, int index) {
        return columns[side].value(from[side] + index);
    }

    List<?> list(int side) {
        return ColumnList.of(columns[side], from[side], until[side]);
    }

    List<?>[] lists() {
        List<?>[] lists = new List<?>[columns.length];
        Arrays.setAll(lists, this::list);
        return lists;
    }
}
