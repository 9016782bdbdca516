package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of masters and workers. */
class DaemonArgumentsTest {
    private static final Map<String, SettingKey<?>> KEYS =
            Map.of("--port", DaemonSettings.MASTER_PORT, "--host", DaemonSettings.MASTER_HOST);

    @Test
    void ranksOptionsOverTheSettingsOfTheInstallation() {
        Settings process = Settings.empty().with("--conf", Map.of("spark.master.port", "1", "hearth.a", "a"));
        DaemonArguments read = parse(process, "x", "--port", "2", "--host=h", "y");
        assertEquals(List.of("x", "y"), read.rest());
        assertEquals(
                "{hearth.a=a, hearth.master.host=h, hearth.master.port=2}",
                read.settings().values().toString());
        assertEquals(Optional.of("--port"), read.settings().origin("hearth.master.port"));
    }

    @Test
    void describesEveryOptionOfARole() {
        assertTrue(DaemonArguments.askForHelp(List.of("--port", "1", "--help")));
        assertFalse(DaemonArguments.askForHelp(List.of("--port", "1")));
        String usage = DaemonArguments.usage("worker", " MASTER-URL", Map.of("--memory", DaemonSettings.WORKER_MEMORY));
        assertTrue(usage.startsWith("""
                usage: hearth worker MASTER-URL [option...]
                  --memory VALUE             Memory that a worker offers.
                      hearth.worker.memory, default that of the machine minus 1g
                  --conf KEY=VALUE"""), usage);
    }

    @ParameterizedTest
    @CsvSource({
        "--prt=1, master: unknown option '--prt' (expected: one of",
        "--port, master: option --port has no value (expected: --port VALUE)"
    })
    void rejectsUnknownOptions(String argument, String start) {
        HearthException failure = assertThrows(HearthException.class, () -> parse(Settings.empty(), argument));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(start), failure::getMessage);
    }

    @Test
    void rejectsAnInvalidPort() {
        SettingsReader in =
                new SettingsReader(parse(Settings.empty(), "--port=70000").settings());
        assertEquals(7077, in.read(DaemonSettings.MASTER_PORT));
        HearthException failure = assertThrows(HearthException.class, in::finish);
        assertEquals(
                "hearth.master.port: 70000 (expected: a whole number, 0 to 65535); from --port", failure.getMessage());
    }

    private static DaemonArguments parse(Settings process, String... arguments) {
        return DaemonArguments.parse("master", List.of(arguments), KEYS, process);
    }
}
