package dev.hearth.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028,
                0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xd800, 0xdfff
            })
    void replacesWhatControlsATerminalOrReordersText(int character) {
        assertEquals("a?b", PrintableText.line("a" + (char) character + "b"));
        assertEquals("a?b", PrintableText.lines("a" + (char) character + "b"));
    }

    @Test
    void leavesOtherTextAsItIs() {
        String text = "a\tb Köln 😀 東京 \u00a0 שלום";
        assertSame(text, PrintableText.line(text));
        assertSame(text, PrintableText.marked(text));
    }

    @Test
    void keepsALineInOneLine() {
        assertEquals("a?b??c?d", PrintableText.line("a\nb\r\nc\rd"));
    }

    @Test
    void retainsLineBreaksOfLines() {
        assertEquals("a\nb\n?c\n", PrintableText.lines("a\r\nb\n\rc\n"));
    }

    @Test
    void marksContinuedLines() {
        assertEquals("a\n\tb\n  c\n\td\n\n\te\n", PrintableText.marked("a\nb\n  c\n\td\n\ne\n"));
    }
}
