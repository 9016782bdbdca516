package dev.hearth.engine.internal.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.column.ColumnBuilder.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns compared with lists. A failure names its seed. */
class ColumnBuilderTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void holdsAllValuesHoweverTheyAreAdded(long seed) {
        Random random = new Random(seed);
        ColumnBuilder builder = new ColumnBuilder();
        List<@Nullable Object> expected = new ArrayList<>();
        int otherTypes = random.nextInt(3);
        while (expected.size() < 300_000 / seed) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int value = random.nextInt();
                    builder.addInt(value);
                    expected.add(value);
                }
                case 1 -> {
                    Object value = otherTypes == 2 && random.nextInt(1000) == 0 ? null : (Object) random.nextInt();
                    builder.add(value);
                    expected.add(value);
                }
                default -> {
                    ColumnBuilder other = new ColumnBuilder();
                    for (int i = random.nextInt(5000); i >= 0; i--) {
                        other.add(otherTypes > 0 && random.nextInt(10_000) == 0 ? (Object) 1L : i);
                    }
                    Column column = other.build();
                    int from = random.nextInt(column.size());
                    builder.addAll(column, from, column.size());
                    for (int i = from; i < column.size(); i++) {
                        expected.add(column.value(i));
                    }
                }
            }
            assertEquals(expected.size(), builder.size());
        }
        assertEquals(otherTypes == 0, builder.kind() == Kind.INTS);
        assertTrue(builder.bytes() <= builder.size() * 4L * 3 / 2 + 64, builder.bytes() + " bytes for " + builder);
        Column built = builder.build();
        assertEquals(expected.size(), built.size());
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i), built.value(i));
        }
        assertEquals(0, builder.size());
        assertEquals(0, builder.bytes());
    }

    @Test
    void choosesTheKindByTheFirstValue() {
        assertTrue(of(1, 2) instanceof Column.Ints);
        assertTrue(of(1L, 2L) instanceof Column.Longs);
        assertTrue(of(1.0, 2.0) instanceof Column.Doubles);
        assertTrue(of("a", "b") instanceof Column.Objects);
        assertTrue(of(1, 2L) instanceof Column.Objects);
        assertTrue(of((Object) null) instanceof Column.Objects);
        assertTrue(of() instanceof Column.Objects empty && empty.size() == 0);
        assertEquals(1, of(1, "a").value(0));
    }

    @Test
    void announcesItsGrowth() {
        ColumnBuilder builder = new ColumnBuilder();
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            Object value = i > 100_000 && random.nextBoolean() ? "text" : (Object) (long) i;
            Kind kind = Kind.of(value);
            long room = builder.wantsRoom(kind) ? builder.roomBytes(kind) : 0;
            long before = builder.bytes();
            builder.add(value);
            assertTrue(builder.bytes() <= before + room, "at " + i);
        }
    }

    private static Column of(@Nullable Object... values) {
        ColumnBuilder builder = new ColumnBuilder();
        for (Object value : values) {
            builder.add(value);
        }
        return builder.build();
    }
}
