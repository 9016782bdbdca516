package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments of bin/hearth exec and bin/hearth shell. */
class ShellArgumentsTest {
    @Test
    void readsDefaults() {
        ShellArguments given = parse("info");
        assertEquals(new ShellArguments(Optional.empty(), Duration.ofMinutes(1), 80, false, List.of("info")), given);
    }

    @Test
    void readsEveryOption() {
        ShellArguments given = parse("--to", "127.0.0.1:7077", "--timeout", "5s", "--width", "120", "info", "conf x");
        assertEquals(
                new ShellArguments(
                        Optional.of(new RpcAddress("127.0.0.1", 7077)),
                        Duration.ofSeconds(5),
                        120,
                        false,
                        List.of("info", "conf x")),
                given);
        assertTrue(parse("--help").help());
    }

    @Test
    void takesTheTimeoutOfTheSettingsUnlessOneIsGiven() {
        Settings settings = Settings.empty().with("test", "hearth.shell.timeout", "3s");
        assertEquals(
                Duration.ofSeconds(3),
                ShellArguments.parse("exec", List.of(), settings).timeout());
        assertEquals(
                Duration.ofSeconds(9),
                ShellArguments.parse("exec", List.of("--timeout", "9s"), settings)
                        .timeout());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--to                | exec: nothing after --to (expected: its value)",
                "--to nowhere        | --to 'nowhere' (expected: HOST:PORT",
                "--to host:99999     | --to 'host:99999' (expected: HOST:PORT",
                "--timeout soon      | --timeout 'soon' (expected: a time",
                "--width wide        | --width 'wide' (expected: a number",
                "--json              | exec: '--json' (expected: one of --to, --timeout, --width, --help)"
            })
    void refusesWhatItDoesNotKnow(String arguments, String message) {
        HearthException refusal = assertThrows(HearthException.class, () -> parse(arguments.split(" ")));
        assertEquals("BAD_ARGUMENT", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(message), refusal::getMessage);
    }

    private static ShellArguments parse(String... arguments) {
        return ShellArguments.parse("exec", List.of(arguments), Settings.empty());
    }
}
