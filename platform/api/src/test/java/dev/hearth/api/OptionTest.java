package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionTest {
    private static final Option<String> FOUND = Option.of("a");
    private static final Option<String> NONE = Option.empty();

    @Test
    void isUsedOnTheDriverAsOptionalIs() {
        assertEquals(Option.of(1), FOUND.map(String::length));
        assertEquals(NONE, FOUND.map(text -> null));
        assertEquals(Option.empty(), NONE.map(String::length));
        assertEquals(FOUND, FOUND.filter(text -> text.equals("a")));
        assertEquals(NONE, FOUND.filter(String::isEmpty));
        assertEquals(NONE, NONE.filter(String::isEmpty));
        assertEquals(Option.of(2), FOUND.flatMap(text -> Option.of(text.length() + 1)));
        assertEquals(Option.empty(), NONE.flatMap(text -> Option.of(text.length() + 1)));
        assertEquals("a", FOUND.orElseGet(() -> "b"));
        assertEquals("b", NONE.orElseGet(() -> "b"));
        assertEquals(List.of("a"), FOUND.stream().toList());
        assertEquals(List.of(), NONE.stream().toList());
    }

    @Test
    void comesOfWhatMayBeNothing() {
        assertEquals(FOUND, Option.ofOptional(Optional.of("a")));
        assertEquals(NONE, Option.ofOptional(Optional.empty()));
        assertEquals(NONE, Option.ofNullable(null));
        assertFalse(NONE.isPresent());
        assertNull(NONE.orNull());
        assertThrows(NoSuchElementException.class, NONE::get);
        assertThrows(NullPointerException.class, () -> Option.of(null));
    }
}
