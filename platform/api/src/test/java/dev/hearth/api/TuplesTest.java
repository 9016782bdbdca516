package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tuples print as Scala tuples do; pairs can be swapped. */
class TuplesTest {
    @Test
    void pairsTurn() {
        assertEquals(Pair.of(1, "a"), Pair.of("a", 1).swap());
    }

    @Test
    void isInBracketsWithCommas() {
        assertEquals("(a,1)", Pair.of("a", 1).toString());
        assertEquals("(a,1,2.5)", Triple.of("a", 1, 2.5).toString());
        assertEquals(
                "(a,1,2.5,(b,null))", Quad.of("a", 1, 2.5, Pair.of("b", null)).toString());
    }
}
