package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments of bin/hearth exec and bin/hearth shell. */
class ShellArgumentsTest {
    @Test
    void readsDefaults() {
        ShellArguments given = parse("info");
        assertEquals(Optional.empty(), given.to());
        assertEquals(Optional.empty(), given.timeout());
        assertEquals(OptionalInt.empty(), given.width());
        assertEquals(List.of("info"), given.lines());
        assertFalse(given.help() || given.keepGoing() || given.file().isPresent());
    }

    @Test
    void readsEveryOption() {
        ShellArguments given = parse("--to", "127.0.0.1:7077", "--timeout", "5s", "--width", "120", "-k", "-f", "-");
        assertEquals(Optional.of(new RpcAddress("127.0.0.1", 7077)), given.to().flatMap(ShellTarget::address));
        assertEquals(Optional.of(Duration.ofSeconds(5)), given.timeout());
        assertEquals(OptionalInt.of(120), given.width());
        assertEquals(Optional.of("-"), given.file());
        assertTrue(given.keepGoing());
        assertEquals(List.of(), given.lines());
        assertTrue(parse("--help").help());
        assertEquals(
                List.of("info", "conf x"),
                parse("--command", "info", "-c", "conf x").lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hearth://127.0.0.1:7077", "spark://127.0.0.1:7077"})
    void takesTheUrlOfAMasterForItsAddress(String url) {
        assertEquals(
                Optional.of(new RpcAddress("127.0.0.1", 7077)),
                parse("--to", url, "drivers").to().flatMap(ShellTarget::address));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "info                              | info",
                "bundles; info                     | bundles; info",
                "stages,--all                      | stages --all",
                "--width,120,info,--json           | info --json",
                "deploy,/tmp/a b.jar               | deploy \"/tmp/a b.jar\"",
                "echo,a $\"x                       | echo \"a \\$\\\"x\"",
                "info,;,bundles                    | info ; bundles"
            })
    void joinsTheWordsOfOneCommand(String arguments, String line) {
        assertEquals(List.of(line), parse(arguments.split(",")).lines());
    }

    @Test
    void takesTheTimeoutOfTheSettingsUnlessOneIsGiven() {
        Settings settings = Settings.empty().with("test", "hearth.shell.timeout", "3s");
        assertEquals(
                Optional.of(Duration.ofSeconds(3)),
                ShellArguments.parse("exec", List.of(), settings).timeout());
        assertEquals(
                Optional.of(Duration.ofSeconds(9)),
                ShellArguments.parse("exec", List.of("--timeout", "9s"), settings)
                        .timeout());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--to                | exec: nothing after --to (expected: its value)",
                "--to no/where       | --to 'no/where' (expected: HOST:PORT",
                "--to a@b --master c | --to 'a@b' (expected: HOST:PORT",
                "--to h:1 --master c | --master 'c' with --to 'h:1' (expected: --to with the id",
                "--master c help     | exec: --master without --to",
                "--to host:99999     | --to 'host:99999' (expected: HOST:PORT",
                "--timeout soon      | --timeout 'soon' (expected: a time",
                "--width wide        | --width 'wide' (expected: a number",
                "-f a info           | exec: commands given in several ways (expected: one of",
                "--json              | exec: '--json' (expected: one of --to, --master, --timeout, --width, --help, --command, -f"
            })
    void refusesWhatItDoesNotKnow(String arguments, String message) {
        HearthException refusal = assertThrows(HearthException.class, () -> parse(arguments.split(" ")));
        assertEquals("BAD_ARGUMENT", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(message), refusal::getMessage);
    }

    @Test
    void namesTheWaysToGiveSeveralCommands() {
        HearthException refusal = assertThrows(HearthException.class, () -> parse("conf x", "info"));
        assertTrue(String.valueOf(refusal.getMessage()).contains("--command before each"), refusal::getMessage);
    }

    @Test
    void leavesTheBannerOutOnRequest() {
        Settings off = Settings.empty().with("test", "hearth.shell.banner", "false");
        assertTrue(ShellArguments.parse("shell", List.of(), Settings.empty()).banner());
        assertFalse(ShellArguments.parse("shell", List.of("--no-banner"), Settings.empty())
                .banner());
        assertFalse(ShellArguments.parse("shell", List.of(), off).banner());
    }

    @Test
    void givesNoCommandsToTheShell() {
        assertThrows(
                HearthException.class, () -> ShellArguments.parse("shell", List.of("-c", "info"), Settings.empty()));
    }

    @Test
    void takesTheIdOfADriverAndItsMaster() {
        assertEquals(
                Optional.of(new ShellTarget(Optional.empty(), "app-1", Optional.empty())),
                parse("--to", "app-1", "jobs").to());
        assertEquals(
                Optional.of(new ShellTarget(Optional.empty(), "app-1", Optional.of("hearth://h:7077"))),
                parse("--to", "app-1", "--master", "hearth://h:7077", "jobs").to());
        assertEquals(
                Optional.of(new ShellTarget(Optional.empty(), "app-1", Optional.of("hearth://h:7077"))),
                parse("--to", "app-1@h:7077", "jobs").to());
        assertEquals(
                Optional.of("k8s://h:6443"),
                parse("--to", "app-1@k8s://h:6443", "jobs").to().flatMap(ShellTarget::master));
        assertEquals(
                "app-1",
                parse("--to", "app-1@h:7077", "jobs").to().orElseThrow().toString());
    }

    private static ShellArguments parse(String... arguments) {
        return ShellArguments.parse("exec", List.of(arguments), Settings.empty());
    }
}
