package dev.hearth.testkit.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The screen shows what a terminal would: overwriting, erasures, cursor moves, wrapping, scrolling and resizing. */
class ScreenTest {
    private final Screen screen = new Screen(3, 10);

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "one^two                  , one/two",
                "12345\\rab               , ab345",
                "12345\\b\\bx             , 123x5",
                "a\\tb                    , a       b",
                "12345\\r~[K6             , 6",
                "12345~[3Dx               , 12x45",
                "12345~[2D~[1Kx           , \"   x5\"",
                "one^two^three~[A~[2Kx    , one/     x/three",
                "one^two~[2J~[Hx          , x",
                "one^two~[H~[Jx           , x",
                "one^two^three~[2;2Hx     , one/txo/three",
                "one^two^three~[2;1H~[M   , one/three",
                "one^two~[H~[Lx           , x/one/two",
                "12345~[5D~[2P            , 345",
                "12345~[5D~[2@            , \"  12345\"",
                "12345~[3Gx~[1X           , 12x 5",
                "12345~7~[Hx~8y           , x2345y",
                "~[1m~[38;5;2mred~[0m~[?25l~]0;title\u0007~(B!, red!",
                "1234567890               , 1234567890",
                "12345678901              , 1234567890/1",
                "1234567890\\rx           , x234567890",
                "one^two~[?1049h~[Hless~[?1049lx, one/twox"
            })
    void showsWhatATerminalShows(String output, String shown) {
        screen.write(output.replace("^", "\r\n")
                .replace('~', '\u001b')
                .replace("\\r", "\r")
                .replace("\\b", "\b")
                .replace("\\t", "\t"));
        assertEquals(List.of(shown.split("/")), screen.lines());
    }

    @Test
    void keepsWhatScrolledOff() {
        screen.write("1\r\n2\r\n3\r\n4\r\n5");
        assertEquals("3\n4\n5", screen.text());
        assertEquals(List.of("1", "2"), screen.scrolled());
        assertEquals("5", screen.beforeCursor());
        assertEquals(2, screen.cursorRow());
    }

    @Test
    void readsSequencesThatArriveInParts() {
        screen.write("12345\u001b");
        screen.write("[");
        screen.write("3");
        screen.write("Dx");
        assertEquals("12x45", screen.text());
        assertEquals("12x", screen.beforeCursor());
    }

    @Test
    void cutsLinesWhenItGetsNarrowerAndKeepsTheCursorOnIt() {
        screen.write("123456789\r\nabc\r\nxyz");
        screen.resize(2, 5);
        assertEquals("abc\nxyz", screen.text());
        assertEquals(1, screen.cursorRow());
        screen.resize(4, 20);
        screen.write("\r\nwider than it was!!");
        assertEquals("abc\nxyz\nwider than it was!!", screen.text());
    }
}
