package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherTest {
    private static final String FLAGS = """
            # a comment
            *\t--master\t-\tURL\thearth.master\tclient,cluster\ttext\tlast\twhere to run
            *\t--class\t-\tNAME\t-\tclient,cluster\ttext\tlast\tmain class
            *\t--verbose\t-v\t-\t-\tclient,cluster\tswitch\tlast\tprint more
            a\t--both\t-\t-\t-\tclient\tswitch\tlast\ta switch of one manager
            b\t--both\t-\tWORD\tb.both\tclient\ttext\tlast\tand more of another
            """;

    @TempDir
    Path home;

    @Test
    void buildsTheCommandLineOfSubmit() {
        List<String> words = Launcher.of(home)
                .master("local[2]")
                .deployMode("client")
                .mainClass("example.Words")
                .name("words")
                .propertiesFile(Path.of("my.properties"))
                .setting("hearth.executor.memory", "1g")
                .setting("spark.executor.memory", "2g")
                .setting("hearth.executor.memory", "3g")
                .jar("a.jar")
                .jar("b.jar")
                .file("x.txt")
                .archive("z.zip#z")
                .flag("--queue", "night")
                .verbose()
                .application("words.jar")
                .arguments("in", "--out")
                .arguments("dir")
                .command();

        assertEquals(
                "--master local[2] --deploy-mode client --class example.Words --name words --properties-file"
                        + " my.properties --queue night --verbose --conf hearth.executor.memory=3g --conf"
                        + " spark.executor.memory=2g --jars a.jar,b.jar --files x.txt --archives z.zip#z words.jar in"
                        + " --out dir",
                String.join(" ", words));
    }

    @Test
    void needsAnApplicationToRun() {
        Launcher nothing = Launcher.of(home).master("local");

        assertThrows(IllegalStateException.class, nothing::command);
        assertEquals(
                List.of("--kill", "driver-1"),
                Launcher.of(home).flag("--kill", "driver-1").command());
        assertEquals(
                List.of("--class", "A", "spark-internal"),
                Launcher.of(home)
                        .mainClass("A")
                        .application(LauncherConstants.NO_RESOURCE)
                        .command());
    }

    @ParameterizedTest
    @ValueSource(strings = {"executor.memory", "Hearth.x", ""})
    void refusesAKeyOfAnotherProduct(String key) {
        assertThrows(IllegalArgumentException.class, () -> Launcher.of(home).setting(key, "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "queue", "--queue=night"})
    void refusesWhatIsNoFlag(String name) {
        assertThrows(IllegalArgumentException.class, () -> Launcher.of(home).flag(name));
    }

    @Test
    void refusesEmptyValues() {
        Launcher launcher = Launcher.of(home);

        assertThrows(IllegalArgumentException.class, () -> launcher.master(""));
        assertThrows(IllegalArgumentException.class, () -> launcher.application(""));
        assertThrows(IllegalArgumentException.class, () -> launcher.jar(""));
        assertThrows(IllegalArgumentException.class, () -> launcher.connectWithin(Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource({"--master,", "--class,", "--verbose,yes", "-v,yes"})
    void checksFlagsAgainstTheInstallation(String name, String value) throws IOException {
        install();
        Launcher launcher = Launcher.of(home).application("a.jar");
        if (value == null) {
            launcher.flag(name);
        } else {
            launcher.flag(name, value);
        }

        assertThrows(IllegalArgumentException.class, launcher::process);
    }

    @Test
    void passesFlagsThatTheInstallationDoesNotKnow() throws IOException {
        install();

        assertEquals(
                List.of("--new", "--newer", "1", "--both", "x", "a.jar"),
                Launcher.of(home)
                        .flag("--new")
                        .flag("--newer", "1")
                        .flag("--both", "x")
                        .application("a.jar")
                        .process()
                        .words());
    }

    @Test
    void namesADirectoryWithoutAnInstallation() {
        IOException missing = assertThrows(
                IOException.class, () -> Launcher.of(home).application("a.jar").start());

        assertEquals(
                "installation " + home
                        + ": no file lib/flags.tsv (expected: the directory of an installation of Hearth)",
                missing.getMessage());
    }

    @Test
    void refusesTwoDirectionsOfOneStreamInTheWordsOfSpark() {
        Launcher twice = Launcher.of(home).redirectErrors(Redirect.INHERIT).redirectErrorsToOutput();
        assertEquals(
                "Cannot specify both redirectError() and redirectError(...) ",
                assertThrows(IllegalStateException.class, twice::process).getMessage());
        assertEquals(
                "Cannot specify both redirectError() and redirectError(...) ",
                assertThrows(IllegalStateException.class, twice::launch).getMessage());
    }

    static Stream<Launcher> withNothingForTheLog() {
        Path home = Path.of("home");
        return Stream.of(
                Launcher.of(home).redirectToLog("a").redirectErrorsToOutput().redirectOutput(Redirect.INHERIT),
                Launcher.of(home)
                        .redirectToLog("a")
                        .redirectErrors(Redirect.DISCARD)
                        .redirectOutput(Path.of("b")));
    }

    @ParameterizedTest
    @MethodSource("withNothingForTheLog")
    void refusesALogForNoStreamInTheWordsOfSpark(Launcher launcher) {
        assertEquals(
                "Cannot used redirectToLog() in conjunction with other redirection methods.",
                assertThrows(IllegalStateException.class, launcher::process).getMessage());
    }

    @Test
    void redirectsOneStreamAndLogsTheOther() throws IOException {
        install();

        assertEquals(
                Optional.of(Redirect.INHERIT),
                Launcher.of(home)
                        .application("a.jar")
                        .redirectToLog("a")
                        .redirectOutput(Redirect.PIPE)
                        .redirectOutput(Redirect.INHERIT)
                        .process()
                        .streams()
                        .output());
    }

    @Test
    void replacesListsAndSettingsByFlags() {
        assertEquals(
                "--conf spark.a=2 --jars c.jar,d.jar --files y --archives z.zip a.jar",
                String.join(
                        " ",
                        Launcher.of(home)
                                .jar("b.jar")
                                .flag("--jars", "c.jar,d.jar")
                                .file("x")
                                .flag("--files", "y")
                                .flag("--archives", "z.zip")
                                .setting("spark.a", "1")
                                .flag("--conf", "spark.a=2")
                                .application("a.jar")
                                .command()));
        assertThrows(IllegalArgumentException.class, () -> Launcher.of(home).flag("--conf", "spark.a"));
    }

    private void install() throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib").resolve("flags.tsv"), FLAGS);
    }
}
