package dev.hearth.shell.gogo.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables fit the page, cut nothing, and have the same content in text and in JSON. */
class TableTest {
    private static final PageFormat PAGE = PageFormat.of(80, false);

    @Test
    void linesUpItsColumnsAndLeavesNoBlanksAtTheEnd() {
        Table table = Table.of("id", "name")
                .row(OutputValue.of(7), OutputValue.of("scr"))
                .row(OutputValue.of(12), OutputValue.of(""))
                .build("none");
        assertEquals("id  name\n7   scr\n12\n", table.text(PAGE));
        assertEquals("[{\"id\":7,\"name\":\"scr\"},{\"id\":12,\"name\":\"\"}]", table.json());
    }

    @Test
    void replacesControlCharactersInTextAndEscapesThemInJson() {
        OutputValue hostile = OutputValue.of("a\u001b[31m\u009bb\u202ec\u2028d");
        Table table = Table.of("id").row(hostile).build("none");
        assertEquals("id\na?[31m?b?c?d\n", table.text(PAGE));
        assertEquals("[{\"id\":\"a\\u001b[31m\\u009bb\\u202ec\\u2028d\"}]", table.json());
        FieldList fields = FieldList.begin().fact("na\u001bme", hostile).build();
        assertEquals("na?me  a?[31m?b?c?d\n", fields.text(PAGE));
    }

    @Test
    void saysWhatItsEmptinessMeans() {
        Table table = Table.of("id").build("no bundles");
        assertEquals("no bundles\n", table.text(PAGE));
        assertEquals("[]", table.json());
    }

    @Test
    void narrowsTheWidestColumnFirst() {
        String text = Table.of("a", "b")
                .row(
                        OutputValue.of("x".repeat(10)),
                        OutputValue.of("words ".repeat(30).strip()))
                .build("")
                .text(PAGE);
        for (String line : text.lines().skip(1).toList()) {
            assertTrue(line.startsWith("x".repeat(10)) || line.startsWith(" ".repeat(12)), line);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void fitsThePageAndLosesNoCharacter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Table.Builder builder = Table.of("one", "two", "three", "four");
        StringBuilder all = new StringBuilder("onetwothreefour");
        for (int row = 0; row < 20; row++) {
            OutputValue[] cells = new OutputValue[4];
            for (int at = 0; at < cells.length; at++) {
                String cell = word(random, random.nextInt(120));
                all.append(cell);
                cells[at] = OutputValue.of(cell);
            }
            builder.row(cells);
        }
        String text = builder.build("").text(PAGE);
        assertTrue(text.lines().allMatch(line -> line.length() <= 80), text);
        assertEquals(letters(all.toString()), letters(text));
    }

    @Test
    void breaksNoIdAndPutsNotesOnLinesOfTheirOwn() {
        String id = "driver-20261119064500-0000";
        Table table = Table.of("id", "address", "holders", "problem")
                .lastIsNote()
                .row(
                        OutputValue.of(id),
                        OutputValue.of("127.0.0.1:38226"),
                        OutputValue.of("application pi, application sort, application words"),
                        OutputValue.of("needs the package a.b, ".repeat(6).strip()))
                .build("");
        String text = table.text(PAGE);
        assertTrue(text.contains("\n" + id + "  127.0.0.1:38226  application pi,"), text);
        assertTrue(text.contains("\n    needs the package a.b, needs"), text);
        assertTrue(text.lines().allMatch(line -> line.length() <= 80), text);
        assertTrue(table.json().contains("\"problem\":\"needs"), table::json);
        String narrow = table.text(PageFormat.of(30, false));
        assertTrue(narrow.contains(id) && narrow.contains("127.0.0.1:38226"), narrow);
    }

    @Test
    void coloursOnlyWhereThePageHasColours() {
        Table table = Table.of("state").row(OutputValue.of("ACTIVE").good()).build("");
        assertEquals("state\nACTIVE\n", table.text(PAGE));
        assertEquals("\u001b[1mstate\u001b[0m\n\u001b[32mACTIVE\u001b[0m\n", table.text(PageFormat.of(80, true)));
    }

    @Test
    void writesEveryKindOfValueAsJson() {
        String json = FieldList.begin()
                .fact("text", OutputValue.of("a \"b\"\\\n\t\u0007ö"))
                .fact("list", OutputValue.of(List.of("x", "y")))
                .fact("map", OutputValue.of(Map.of("k", "v")))
                .fact("flag", OutputValue.of(true))
                .fact("shown", OutputValue.of("long").shownAs("short"))
                .build()
                .json();
        assertEquals(
                "{\"text\":\"a \\\"b\\\"\\\\\\n\\t\\u0007\\u00f6\",\"list\":[\"x\",\"y\"],\"map\":{\"k\":\"v\"},"
                        + "\"flag\":true,\"shown\":\"long\"}",
                json);
    }

    @Test
    void keepsControlCharactersFromTheTerminal() {
        String text = CommandOutput.words("why", "red \u001b[31m alert").text(PAGE);
        assertEquals("red  [31m alert\n", text);
    }

    @Test
    void wrapsFactsUnderTheirValue() {
        String text = FieldList.begin()
                .fact("use", OutputValue.of("first line\nsecond line"))
                .build()
                .text(PAGE);
        assertEquals("use  first line\n     second line\n", text);
    }

    private static String word(SplittableRandom random, int length) {
        StringBuilder word = new StringBuilder();
        for (int at = 0; at < length; at++) {
            boolean isLong = at - word.lastIndexOf(" ") > 15; // longer words would be kept whole
            word.append(isLong ? ' ' : "abcdefghij .,-/=".charAt(random.nextInt(16)));
        }
        return word.toString();
    }

    /** Count of each letter, which wrapping must preserve. */
    private static List<Long> letters(String text) {
        return "abcdefghijonetwothreefour.,-/="
                .chars()
                .distinct()
                .mapToObj(letter -> text.chars().filter(one -> one == letter).count())
                .toList();
    }
}
