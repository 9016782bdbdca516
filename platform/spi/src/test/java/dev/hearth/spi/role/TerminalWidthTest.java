package dev.hearth.spi.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Width of a terminal, as stty prints it or the environment contains it. */
class TerminalWidthTest {
    @Test
    void readsTheSizeThatSttyPrints() {
        assertEquals(OptionalInt.of(160), TerminalWidth.parse("24 160\n"));
        assertEquals(OptionalInt.of(20), TerminalWidth.parse("24 1\n"), "narrower ones are not used");
        assertEquals(OptionalInt.empty(), TerminalWidth.parse("0 0\n"));
        assertEquals(OptionalInt.empty(), TerminalWidth.parse("stty: not a tty"));
    }

    @Test
    void takesTheVariableOtherwise() {
        assertEquals(132, TerminalWidth.ofVariable(Map.of("COLUMNS", "132")));
        assertEquals(80, TerminalWidth.ofVariable(Map.of("COLUMNS", "wide")));
        assertEquals(80, TerminalWidth.ofVariable(Map.of()));
    }
}
