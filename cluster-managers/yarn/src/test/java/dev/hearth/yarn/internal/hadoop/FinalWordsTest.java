package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Shortens diagnostics. */
class FinalWordsTest {
    @Test
    void keepsTheBeginningAndTheEndOfALongText() {
        String text = "first" + "x".repeat(FinalWords.CHARACTERS_MAX) + "last";
        String cut = FinalWords.cut(text, FinalWords.CHARACTERS_MAX);
        assertEquals(FinalWords.CHARACTERS_MAX, cut.length());
        assertTrue(cut.startsWith("first") && cut.endsWith("last") && cut.contains("[...]"));
    }

    @Test
    void keepsATextThatFits() {
        assertEquals("x".repeat(100), FinalWords.cut("x".repeat(100), 100));
    }
}
