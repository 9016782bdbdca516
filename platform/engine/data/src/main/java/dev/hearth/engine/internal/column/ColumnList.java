package dev.hearth.engine.internal.column;

import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * List of the values of one key, such as a group of groupByKey, backed by a column that no other object uses. Values
 * may be replaced or sorted, but not added or removed. Owned by the user code that receives it. Serialised as an
 * {@link ArrayList}.
 */
@SuppressWarnings("serial") // never serialised itself: writeReplace substitutes an ArrayList
public final class ColumnList extends AbstractList<@Nullable Object> implements RandomAccess, Serializable {
    @Serial
    private static final long serialVersionUID = 1L;

    private transient Column values;

    private ColumnList(Column values) {
        this.values = values;
    }

    /** A list with a copy of the values of a column, from index {@code from} to before index {@code until}. */
    public static List<?> of(Column values, int from, int until) {
        return new ColumnList(slice(values, from, until));
    }

    /** A column with a copy of the values of another column, from index {@code from} to before index {@code until}. */
    public static Column slice(Column values, int from, int until) {
        int size = until - from;
        if (values instanceof Column.Ints ints) {
            return new Column.Ints(Arrays.copyOfRange(ints.values(), from, until), size);
        }
        if (values instanceof Column.Longs longs) {
            return new Column.Longs(Arrays.copyOfRange(longs.values(), from, until), size);
        }
        if (values instanceof Column.Doubles doubles) {
            return new Column.Doubles(Arrays.copyOfRange(doubles.values(), from, until), size);
        }
        return new Column.Objects(Arrays.copyOfRange(((Column.Objects) values).values(), from, until), size);
    }

    @Override
    public int size() {
        return values.size();
    }

    @Override
    public @Nullable Object get(int index) {
        return values.value(index);
    }

    @Override
    public @Nullable Object set(int index, @Nullable Object value) {
        Object previous = values.value(index);
        if (values instanceof Column.Ints ints && value instanceof Integer number) {
            ints.values()[index] = number;
        } else if (values instanceof Column.Longs longs && value instanceof Long number) {
            longs.values()[index] = number;
        } else if (values instanceof Column.Doubles doubles && value instanceof Double number) {
            doubles.values()[index] = number;
        } else {
            objects()[index] = value;
        }
        return previous;
    }

    private @Nullable Object[] objects() {
        if (values instanceof Column.Objects objects) {
            return objects.values();
        }
        @Nullable Object[] boxed = toArray();
        values = new Column.Objects(boxed, boxed.length);
        return boxed;
    }

    @Override
    public @Nullable Object[] toArray() {
        @Nullable Object[] array = new @Nullable Object[values.size()];
        Arrays.setAll(array, values::value);
        return array;
    }

    @Serial
    private Object writeReplace() {
        return new ArrayList<>(this);
    }
}
