package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources of settings: syntax, ranks and errors. */
class SettingsSourcesTest {
    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.a  one two    | one two",
                "hearth.a=x=y         | x=y",
                " hearth.a = x        | x",
                "hearth.a: x          | x",
                "hearth.a:x:y         | x:y",
                "hearth.a\tx          | x",
                "hearth.a x # y       | x # y",
                "hearth.a C:\\x       | C:\\x",
                "spark.a ü            | ü",
            })
    void readsALine(String line, String value) throws IOException {
        assertEquals(
                Optional.of(value), file("f", "# comment\n\n" + line + "\r\n").find("hearth.a"), line);
    }

    @Test
    void skipsAByteOrderMark() throws IOException {
        assertEquals(Map.of("hearth.a", "x"), file("f", "\uFEFFhearth.a x").values());
    }

    @Test
    void readsAnEmptyValue() throws IOException {
        assertEquals(Optional.of(""), file("f", "hearth.a =\n").find("hearth.a"));
        assertEquals(Optional.of("f line 2"), file("f", "\nhearth.a =\n").origin("hearth.a"));
    }

    @Test
    void namesEveryBadLineOfEveryFile() throws IOException {
        Files.writeString(directory.resolve("a"), "hearth.a 1\nlonely\n=x\n");
        Files.writeString(directory.resolve("b"), "hearth.a 1 \\\n  2\nmy.password\n");
        HearthException failure = assertThrows(
                HearthException.class,
                () -> sources().propertiesFile("a").propertiesFile("b").over(Settings.empty()));
        assertEquals("BAD_SETTING", failure.code());
        assertEquals(
                List.of(
                        "a line 2: 'lonely' (expected: a key and its value, as in hearth.master local[2])",
                        "  a line 3: '=x' (expected: a key and its value, as in hearth.master local[2])",
                        "  b line 1: 'hearth.a 1 \\' (expected: all of a value in one line)",
                        "  b line 2: '2' (expected: a key and its value, as in hearth.master local[2])",
                        "  b line 3: '(hidden)' (expected: a key and its value, as in hearth.master local[2])"),
                String.valueOf(failure.getMessage()).lines().toList());
    }

    @Test
    void rejectsAFileThatIsMissingOrBinaryOrTooLarge() throws IOException {
        refuses("PATH_MISSING", "--properties-file: 'none': no such file", "none");
        refuses("PATH_MISSING", "--properties-file: '.': no such file", ".");
        Files.write(directory.resolve("latin"), new byte[] {'a', ' ', (byte) 0xFC, '\n'});
        refuses("BAD_SETTING", "latin: not in UTF-8 (expected: a file of settings in UTF-8)", "latin");
        Files.write(directory.resolve("huge"), new byte[4 * 1024 * 1024 + 1]);
        refuses("BAD_SETTING", "huge: more than 4194304 bytes", "huge");
    }

    @Test
    void acceptsAMissingDefaultsFile() {
        assertTrue(sources()
                .defaults(directory.resolve("none"), "none")
                .over(Settings.empty())
                .keys()
                .isEmpty());
    }

    @Test
    void ranksFlagsConfLaterFilesEarlierFilesDefaultsEnvironment() throws IOException {
        Files.writeString(directory.resolve("defaults"), """
                spark.driver.memory d
                hearth.executor.memory d
                hearth.k3 d
                hearth.k2 d
                hearth.k1 d
                """);
        Files.writeString(directory.resolve("1"), "hearth.k1 1\nhearth.k2 1\nhearth.k3 1\nhearth.executor.memory 1");
        Files.writeString(directory.resolve("2"), "hearth.k2 2\nhearth.k3 2\nhearth.executor.memory 2");
        Settings settings = new SettingsSources(
                        directory, Map.of("SPARK_DRIVER_MEMORY", "e", "HEARTH_EXECUTOR_CORES", "e"))
                .flag("--executor-memory", "hearth.executor.memory", "flag")
                .conf("-c", "hearth.k3=conf")
                .conf("-c", "hearth.executor.memory=conf")
                .propertiesFile("1")
                .propertiesFile("2")
                .defaults(directory.resolve("defaults"), "conf/defaults")
                .environment()
                .over(Settings.empty());
        assertEquals(
                "{hearth.driver.memory=d, hearth.executor.cores=e, hearth.executor.memory=flag, hearth.k1=1,"
                        + " hearth.k2=2, hearth.k3=conf}",
                settings.values().toString());
        assertEquals(Optional.of("conf/defaults line 1"), settings.origin("hearth.driver.memory"));
        assertEquals(Optional.of("environment HEARTH_EXECUTOR_CORES"), settings.origin("hearth.executor.cores"));
        assertEquals(Optional.of("--executor-memory"), settings.origin("hearth.executor.memory"));
        assertEquals(Optional.of("2 line 1"), settings.origin("hearth.k2"));
        assertEquals(Optional.of("--conf"), settings.origin("hearth.k3"));
    }

    @ParameterizedTest
    @CsvSource({
        "HEARTH_MASTER, hearth.master",
        "MASTER, hearth.master",
        "HEARTH_DEPLOY_MODE, hearth.submit.deployMode",
        "HEARTH_DRIVER_MEMORY, hearth.driver.memory",
        "SPARK_DRIVER_MEMORY, hearth.driver.memory",
        "HEARTH_EXECUTOR_MEMORY, hearth.executor.memory",
        "SPARK_EXECUTOR_MEMORY, hearth.executor.memory",
        "SPARK_EXECUTOR_CORES, hearth.executor.cores",
        "SPARK_MASTER_HOST, hearth.master.host",
        "SPARK_MASTER_PORT, hearth.master.port",
        "SPARK_WORKER_CORES, hearth.worker.cores",
        "SPARK_WORKER_MEMORY, hearth.worker.memory",
        "SPARK_WORKER_PORT, hearth.worker.port",
        "SPARK_WORKER_DIR, hearth.worker.dir",
        "SPARK_LOCAL_DIRS, hearth.local.dir",
        "HEARTH_WORKER_HOST, hearth.worker.host"
    })
    void readsTheEnvironment(String variable, String key) {
        Settings settings = new SettingsSources(directory, Map.of(variable, "x"))
                .environment()
                .over(Settings.empty());
        assertEquals(Map.of(key, "x"), settings.values());
    }

    @Test
    void prefersHearthVariablesAndIgnoresKubernetesServiceLinks() {
        Map<String, String> environment = Map.of(
                "HEARTH_MASTER",
                "ours",
                "MASTER",
                "theirs",
                "HEARTH_MASTER_PORT",
                "tcp://10.0.0.1:7077",
                "HEARTH_X",
                "");
        Settings settings =
                new SettingsSources(directory, environment).environment().over(Settings.empty());
        assertEquals(Map.of("hearth.master", "ours"), settings.values());
    }

    @Test
    void prefersAHearthKeyToItsSparkAliasWithinASource() throws IOException {
        Settings settings = file("f", "hearth.master a\nspark.master b\nspark.other c\nspark.other d\n");
        assertEquals("{hearth.master=a, hearth.other=d}", settings.values().toString());
        Settings conf = sources()
                .conf("--conf", "hearth.a=ours")
                .conf("--conf", "spark.a=theirs")
                .over(settings);
        assertEquals(Optional.of("ours"), conf.find("hearth.a"));
    }

    @Test
    void ignoresOtherKeysWithAMessage() {
        SettingsSources sources = sources().conf("-c", "other=1").conf("-c", "hearth.a= 1 ");
        assertEquals(Map.of("hearth.a", "1"), sources.over(Settings.empty()).values());
        assertEquals(
                List.of("setting other: ignored (expected: a key that begins with hearth.); from --conf"),
                sources.warnings());
    }

    @Test
    void warnsOfSecretsInTheArgumentsWithoutShowingThem() {
        SettingsSources sources = new SettingsSources(directory, Map.of("WORD", "word"))
                .conf("-c", "spark.authenticate.secret=abc")
                .conf("-c", "hearth.store.password=abc")
                .flag("--x", "hearth.driver.extraJavaOptions", "-Dstore.password=abc")
                .conf("-c", "hearth.rest.token=${env:WORD}")
                .conf("-c", "hearth.rest.token.file=abc")
                .conf("-c", "hearth.rest.token=");
        String start = "a secret in the arguments, which every user of the machine can read (expected: a secret in a"
                + " file or in the environment); ";
        assertEquals(
                List.of(
                        "setting spark.authenticate.secret: " + start + "use hearth.authenticate.secret.file or the"
                                + " variable HEARTH_AUTHENTICATE_SECRET; from --conf",
                        "setting hearth.store.password: " + start + "use --properties-file, or refer to a variable as"
                                + " in hearth.store.password=${env:NAME}; from --conf",
                        "setting hearth.driver.extraJavaOptions: " + start + "use --properties-file, or refer to a"
                                + " variable as in hearth.driver.extraJavaOptions=${env:NAME}; from --x"),
                sources.warnings());
    }

    @Test
    void knowsTheVariablesThatHoldSecrets() throws IOException {
        Files.writeString(directory.resolve("f"), """
                hearth.rest.token ${env:WORD}
                hearth.a ${env:COLOUR}
                hearth.b x ${env:MY_PASSWORD}
                hearth.c ${hearth.rest.token}
                hearth.d ${env:OTHER_TOKEN}
                """);
        Settings settings = new SettingsSources(
                        directory,
                        Map.of(
                                "HEARTH_AUTHENTICATE_SECRET", "s",
                                "HEARTH_MASTER", "m",
                                "WORD", "t",
                                "COLOUR", "blue",
                                "MY_PASSWORD", "p"))
                .environment()
                .propertiesFile("f")
                .over(Settings.empty());
        assertEquals(
                List.of(
                        "HEARTH_AUTHENTICATE_SECRET",
                        "HEARTH_LAUNCHER_SECRET",
                        "HEARTH_REST_TOKEN",
                        "MY_PASSWORD",
                        "WORD",
                        "_SPARK_AUTH_SECRET",
                        "_SPARK_LAUNCHER_SECRET"),
                List.copyOf(settings.secretVariables()));
        assertEquals(
                "{hearth.authenticate.secret=s, hearth.b=x p, hearth.rest.token=t}",
                settings.secretsOfEnvironment().toString());
        Settings ofChild = settings.withoutUnsetSecrets();
        assertEquals(Optional.of("blue"), ofChild.find("hearth.a"));
        assertEquals(Optional.empty(), ofChild.find("hearth.d"));
    }

    @Test
    void keepsAnEmptyVariableOfASecret() {
        Map<String, String> environment = Map.of("HEARTH_REST_TOKEN", " ", "HEARTH_MASTER", "");
        Settings settings =
                new SettingsSources(directory, environment).environment().over(Settings.empty());
        assertEquals(Map.of("hearth.rest.token", ""), settings.values());
    }

    @ParameterizedTest
    @CsvSource({"foo", "=foo", "' =foo'"})
    void rejectsTextThatIsNotKeyEqualsValue(String text) {
        HearthException failure =
                assertThrows(HearthException.class, () -> sources().conf("-c", text));
        assertEquals("BAD_ARGUMENT", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("-c: '" + text + "' (expected: key=value"));
    }

    private void refuses(String code, String start, String file) {
        HearthException failure =
                assertThrows(HearthException.class, () -> sources().propertiesFile(file));
        assertEquals(code, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith(start), failure::getMessage);
    }

    private Settings file(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
        return sources().propertiesFile(name).over(Settings.empty());
    }

    private SettingsSources sources() {
        return new SettingsSources(directory, Map.of());
    }
}
