package dev.hearth.spi.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of options of roles, and command lines that are parsed by them. */
class RoleOptionTableTest {
    private static final String TABLE = """
            # a comment
            logs|role|APPLICATION|address|Prints logs.
            logs|option|--follow|-f|-|switch|-|go on
            logs|option|--lines|-n|N|number|hearth.logs.lines|lines at the end
            logs|option|--queue|-|NAME|ignored|-|there are no queues
            logs|variable|HEARTH_X|SPARK_X|N|the same
            logs|note|A note.
            logs|example|bin/hearth logs app-1
            tail|script|-|-|Prints the end.
            tail|like|logs
            """;

    @Test
    void readsWhatABundleDeclares() throws IOException {
        RoleOptionTable table = table(TABLE);
        RoleUsage logs = table.usage("logs").orElseThrow();
        assertEquals(
                "APPLICATION address Prints logs.", logs.operands() + " " + logs.operandKind() + " " + logs.summary());
        assertEquals(
                List.of("--follow", "--lines", "--queue"),
                logs.options().stream().map(RoleOption::name).toList());
        assertEquals(List.of("A note."), logs.notes());
        assertEquals(List.of("bin/hearth logs app-1"), logs.examples());
        assertEquals("SPARK_X", logs.variables().get(0).alias());
        assertEquals(logs.options(), table.usage("tail").orElseThrow().options());
        assertEquals(Optional.empty(), table.usage("none"));
    }

    @Test
    void parsesTheOptionsOfARole() throws IOException {
        RoleArguments parsed = RoleArguments.parse(
                "logs",
                table(TABLE).options("logs"),
                List.of("a", "-f", "-n", "3", "--lines=4", "--queue", "q", "--", "-f"));
        assertEquals(List.of("a", "-f"), parsed.operands());
        assertEquals(Optional.of("4"), parsed.last("--lines"));
        assertEquals(Optional.of(""), parsed.last("--follow"));
        assertEquals(List.of("logs: --queue q: ignored: there are no queues"), parsed.warnings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--folow|logs: unknown option '--folow' (expected: an option of this role); did you mean --follow?",
                "-n|logs: option -n has no value (expected: -n N)",
                "--follow=yes|logs: option '--follow=yes' (expected: --follow, which takes no value)",
                "-z|logs: unknown option '-z' (expected: one of [--follow, --lines, --queue]); see bin/hearth logs --help"
            })
    void refusesWhatIsNoOption(String argument, String message) {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> RoleArguments.parse("logs", table(TABLE).options("logs"), List.of(argument)));
        assertEquals(message, failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "logs|opton|x, keyword: 'opton'",
        "logs|option|--x, option: 3 fields (expected: 8)",
        "logs|option|--x|-|-|text|-|m, option --x: '' (expected: a word for the value",
        "logs|option|x|-|-|switch|-|m, option x: 'x' (expected: two dashes"
    })
    void namesMalformedLines(String line, String problem) {
        HearthException failure = assertThrows(HearthException.class, () -> table(line));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("test line 1: " + problem), failure::getMessage);
    }

    private static RoleOptionTable table(String text) throws IOException {
        return RoleOptionTable.read(
                "test", new ByteArrayInputStream(text.replace('|', '\t').getBytes(StandardCharsets.UTF_8)));
    }
}
