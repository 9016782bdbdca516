package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Equal values have equal hash codes; enums inside of values are hashed by name. */
class StableHashTest {
    private enum Colour {
        RED,
        BLUE {
            @Override
            public String toString() {
                return "sky";
            }
        }
    }

    private record Car(Colour colour, int doors) {}

    /** Defines equals by its number alone. */
    private record Numbered(int number, Colour colour) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Numbered numbered && numbered.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    private record Plain(int number, String text) {}

    @Test
    void enumsHashByTheirNames() {
        assertEquals("RED".hashCode(), StableHash.of(Colour.RED));
        assertEquals("BLUE".hashCode(), StableHash.of(Colour.BLUE));
        assertEquals(0, StableHash.of(null));
        int red = "RED".hashCode();
        assertEquals(31 * red + 4, StableHash.of(new Car(Colour.RED, 4)));
        assertEquals(31 * red + 7, StableHash.of(Pair.of(Colour.RED, 7)));
        assertEquals(31 + red, StableHash.of(List.of(Colour.RED)));
        assertEquals(red, StableHash.of(Option.of(Colour.RED)));
        assertEquals(red + "BLUE".hashCode(), StableHash.of(Set.of(Colour.BLUE, Colour.RED)));
        assertEquals(red ^ 5, StableHash.of(Map.of(Colour.RED, 5)));
        assertNotEquals(StableHash.of(new Car(Colour.BLUE, 4)), StableHash.of(new Car(Colour.RED, 4)));
    }

    @Test
    void whatIsEqualHasOneHashCode() {
        assertEquals(StableHash.of(List.of(1, "a")), StableHash.of(new ArrayList<>(List.of(1, "a"))));
        assertEquals(StableHash.of(Set.of(1, 2, 3)), StableHash.of(new LinkedHashSet<>(List.of(3, 2, 1))));
        assertEquals(StableHash.of(Map.of("a", 1)), StableHash.of(new HashMap<>(Map.of("a", 1))));
        assertEquals(StableHash.of(new Numbered(3, Colour.RED)), StableHash.of(new Numbered(3, Colour.BLUE)));
    }

    @Test
    void otherClassesHashAsTheySay() {
        for (Object value :
                List.of(5, 7L, "text", 1.5, 'c', Duration.ofSeconds(9), new Plain(3, "t"), List.of(1, "a"))) {
            assertEquals(value.hashCode(), StableHash.of(value));
        }
        assertEquals(3, StableHash.of(new Numbered(3, Colour.RED)));
    }
}
