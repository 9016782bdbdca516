package dev.hearth.engine.internal.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The operations that user code may apply to the values of a key. */
class ColumnListTest {
    private static List<Object> list(@Nullable Object... values) {
        return list(column(values), 0, values.length);
    }

    @SuppressWarnings("unchecked") // of anything
    private static List<Object> list(Column column, int from, int until) {
        return (List<Object>) ColumnList.of(column, from, until);
    }

    private static Column column(@Nullable Object... values) {
        ColumnBuilder builder = new ColumnBuilder();
        Arrays.asList(values).forEach(builder::add);
        return builder.build();
    }

    @Test
    void equalsListsOfTheSameValues() {
        for (Object[] values : new Object[][] {{1, 2, 3}, {1L, 2L}, {0.5, -0.0}, {"a", null, 1}, {}}) {
            List<Object> list = list(values);
            assertEquals(Arrays.asList(values), list);
            assertEquals(list, Arrays.asList(values));
            assertEquals(Arrays.asList(values).hashCode(), list.hashCode());
            assertEquals(Arrays.asList(values), Arrays.asList(list.toArray()));
        }
        assertNotEquals(list(1, 2), list(1L, 2L));
    }

    @Test
    void canBeSortedAndChangedButNotGrow() {
        Column all = column(3, 1, 2, 0);
        List<Object> list = list(all, 0, 3);
        list.sort(null);
        assertEquals(List.of(1, 2, 3), list);
        assertEquals(3, all.value(0), "the column");
        assertEquals(1, list.set(0, null));
        assertEquals(Arrays.asList(null, 2, 3), list);
        assertThrows(UnsupportedOperationException.class, () -> list.add(4));
        assertThrows(UnsupportedOperationException.class, () -> list.remove(0));
        assertThrows(IndexOutOfBoundsException.class, () -> list.get(3));
        assertEquals(0, list(all, 2, 2).size());
    }

    @Test
    void isSerialisedAsAnArrayList() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(list(1, 2, null));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Object read = in.readObject();
            assertSame(ArrayList.class, read.getClass());
            assertEquals(Arrays.asList(1, 2, null), read);
        }
    }
}
