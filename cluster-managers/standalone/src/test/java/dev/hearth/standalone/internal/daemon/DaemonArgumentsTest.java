package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
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
    @Test
    void ranksOptionsOverTheSettingsOfTheInstallation() {
        Settings process = Settings.empty().with("--conf", Map.of("spark.master.port", "1", "hearth.a", "a"));
        DaemonArguments read = DaemonArguments.parse("master", List.of("x", "--port", "2", "--host=h", "y"), process);
        assertEquals(List.of("x", "y"), read.rest());
        assertEquals(
                "{hearth.a=a, hearth.master.host=h, hearth.master.port=2}",
                read.settings().values().toString());
        assertEquals(Optional.of("--port"), read.settings().origin("hearth.master.port"));
    }

    @Test
    void takesTheShortOptionsOfSpark() {
        DaemonArguments read = worker(
                "-h", "a", "-p", "1", "-c", "2", "-m", "3g", "-d", "work", "--webui-port", "8081", "spark://b:1");
        assertEquals(
                "{hearth.worker.cores=2, hearth.worker.dir=work, hearth.worker.host=a, hearth.worker.memory=3g,"
                        + " hearth.worker.port=1}",
                read.settings().values().toString());
        assertEquals(List.of("spark://b:1"), read.rest());
        assertEquals(
                List.of("worker: --webui-port 8081: ignored: the pages are at the port of the worker"),
                read.warnings());
        assertEquals(
                "{hearth.worker.host=c}", worker("-i", "c").settings().values().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--prt=1|worker: unknown option '--prt' (expected: an option of this role); did you mean --port?",
                "--port|worker: option --port has no value (expected: --port PORT)",
                "-x|worker: unknown option '-x' (expected: one of [--host, ",
                "--host a --ip b|worker: --host and --ip (expected: one of them, as both set hearth.worker.host)"
            })
    void rejectsUnknownOptions(String arguments, String start) {
        HearthException failure = assertThrows(HearthException.class, () -> worker(arguments.split(" ", -1)));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(start), failure::getMessage);
    }

    @Test
    void rejectsAnInvalidPort() {
        SettingsReader in =
                new SettingsReader(DaemonArguments.parse("master", List.of("--port=70000"), Settings.empty())
                        .settings());
        assertEquals(7077, in.read(DaemonSettings.MASTER_PORT));
        HearthException failure = assertThrows(HearthException.class, in::finish);
        assertEquals(
                "hearth.master.port: 70000 (expected: a whole number, 0 to 65535); from --port", failure.getMessage());
    }

    private static DaemonArguments worker(String... arguments) {
        return DaemonArguments.parse("worker", List.of(arguments), Settings.empty());
    }
}
