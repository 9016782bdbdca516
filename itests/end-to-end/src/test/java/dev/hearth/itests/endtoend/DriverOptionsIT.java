package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.TellsJava;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the JVM options that bin/submit chooses for a driver: as the application sees them, and on the command line
 * of Java.
 */
@Timeout(180)
class DriverOptionsIT {
    private static final long MEBIBYTE = 1L << 20;
    private static final Set<String> CONTROL =
            Set.of("--kill", "--status", "--via", "--help", "--version", "--usage-error");
    /** Refused with an application. */
    private static final Set<String> WITH_STATUS = Set.of("--json");

    private static final Set<String> MUST_HAVE = Set.of("--master", "--class", "--conf");

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Path noJava;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
        noJava = Files.createDirectories(scratch.resolve("no java"));
        Files.writeString(noJava.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        Path java = Files.createDirectories(noJava.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void forgetDefaults() throws IOException {
        Files.deleteIfExists(installation.home().resolve("conf/hearth-defaults.conf"));
    }

    @Test
    void startsTheDriversJavaAsItWasTold() throws Exception {
        Path directory = Files.createDirectories(scratch.resolve("extra classes"));
        Files.writeString(directory.resolve("a.mark"), "");
        String told = output(
                "--driver-memory",
                "96m",
                "--driver-java-options",
                "-Da.mark='two words' -XX:+UseSerialGC --add-opens java.base/java.lang=ALL-UNNAMED \"-Db.mark=it's\"",
                "--driver-library-path",
                "/opt/native",
                "--driver-class-path",
                directory.toString(),
                "--class",
                TellsJava.class.getName(),
                installation.applications().toString(),
                "a.mark",
                "b.mark");
        assertTrue(told.contains("heap " + 96 * MEBIBYTE + "\n"), told);
        assertTrue(told.contains("tier 4\n"), told);
        assertTrue(told.contains("collectors Copy,MarkSweepCompact\n"), told);
        assertTrue(told.contains("libraries /opt/native:"), told);
        assertTrue(told.contains("a.mark two words true\n"), told);
        assertTrue(told.contains("b.mark it's false\n"), told);
    }

    @Test
    void optimisesWhatRunsHereAndNothingElse() throws Exception {
        List<String> application = List.of("--class", "x.Y", "a.jar", "--deploy-mode", "cluster");
        assertFalse(java(Map.of(), application).contains("-XX:TieredStopAtLevel=1"));
        for (List<String> control : List.of(
                List.of("--version"),
                List.of("--status", "driver-1"),
                List.of("--name", "y"),
                List.of("--driver-memory", "10x", "--deploy-mode", "cluster", "a.jar"),
                List.of("--conf", "spark.submit.deployMode=Cluster", "a.jar"))) {
            assertTrue(java(Map.of(), control).contains("-XX:TieredStopAtLevel=1"), control::toString);
        }
        assertTrue(java(Map.of("HEARTH_DEPLOY_MODE", "cluster"), application).contains("-XX:TieredStopAtLevel=1"));
    }

    @Test
    void ranksTheSourcesOfAMemoryAsAllSettings() throws Exception {
        Files.writeString(
                installation.home().resolve("conf/hearth-defaults.conf"),
                "# driver.memory 9g\nspark.driver.memory = 34m\r\nhearth.driver.memory: 33m \n");
        Path low = Files.writeString(scratch.resolve("low.conf"), "hearth.driver.memory 35m\n");
        Path high = Files.writeString(scratch.resolve("high.conf"), "hearth.driver.memory\t${env:SIZE}m");
        Map<String, String> environment = Map.of("HEARTH_DRIVER_MEMORY", "32m", "SIZE", "36");
        List<String> line = new ArrayList<>(List.of("a.jar", "--driver-memory", "1g"));
        assertHeap(environment, line, "-Xmx33m");
        line.addAll(0, List.of("--properties-file", low.toString()));
        assertHeap(environment, line, "-Xmx35m");
        line.addAll(2, List.of("--properties-file", high.toString()));
        assertHeap(environment, line, "-Xmx36m");
        line.addAll(0, List.of("--conf", "hearth.driver.memory=37m", "-c", "spark.driver.memory=38m"));
        assertHeap(environment, line, "-Xmx37m");
        line.addAll(0, List.of("--driver-memory=2G"));
        assertHeap(environment, line, "-Xmx2048m");
        forgetDefaults();
        assertHeap(environment, List.of("a.jar"), "-Xmx32m");
        assertHeap(environment, List.of("--class", "x.Y", "--driver-memory=39m"), "-Xmx39m");
        assertHeap(environment, List.of("--driver-memory=40m", "--class", "x.Y", "spark-internal"), "-Xmx40m");
        assertTrue(java(Map.of(), List.of("a.jar")).stream().noneMatch(option -> option.startsWith("-Xmx")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--driver-memory=10x | hearth.driver.memory: 10x (expected: a size such as 512m or 2g, from 32m); from"
                        + " --driver-memory",
                "--driver-memory=31m | hearth.driver.memory: 31m (expected: a size such as 512m or 2g, from 32m); from"
                        + " --driver-memory",
                "--conf=spark.driver.memory=-1 | hearth.driver.memory: -1 (expected: a size such as 512m or 2g, from 32m);"
                        + " from --conf",
                "--conf=hearth.driver.memory=${hearth.x} | hearth.driver.memory: ${hearth.x} (expected: no reference but to a"
                        + " variable that is set, as ${env:X}: Java starts with it); from --conf",
                "--driver-java-options=-Da -Xmx1g | hearth.driver.extraJavaOptions: -Xmx1g (expected: no size of the heap;"
                        + " give it as --driver-memory); from --driver-java-options",
                "--driver-java-options=-XX:MaxHeapSize=1g | hearth.driver.extraJavaOptions: -XX:MaxHeapSize=1g (expected: no"
                        + " size of the heap; give it as --driver-memory); from --driver-java-options",
                "--driver-java-options=-jar | hearth.driver.extraJavaOptions: -jar (expected: no main class or jar;"
                        + " bin/submit starts the driver); from --driver-java-options",
                "--driver-java-options=--add-opens=a=b word | hearth.driver.extraJavaOptions: 'word' (expected: options of"
                        + " Java, each beginning with -); from --driver-java-options",
                "--driver-java-options=word | hearth.driver.extraJavaOptions: 'word' (expected: options of Java, each"
                        + " beginning with -); from --driver-java-options",
                "--driver-java-options=-Da=\"b | hearth.driver.extraJavaOptions: -Da=\"b (expected: options with blanks"
                        + " between, and quotes in pairs); from --driver-java-options"
            })
    void refusesWhatCannotBeBeforeJavaStarts(String argument, String message) throws Exception {
        try (Launched launched = launch(Map.of("JAVA_HOME", noJava.toString()), List.of(argument, "a.jar"))) {
            assertEquals(2, launched.status());
            assertEquals("", launched.output());
            assertEquals("error: " + message + "\n", launched.errors());
        }
    }

    /** Each flag alone in bash; all together in bash and Java, which must find the same application and settings. */
    @Test
    void readsEveryFlagInBashAsInJava() throws Exception {
        Path lines = installation.home().resolve("lib/flags.tsv");
        List<FlagRule> flags;
        try (InputStream in = Files.newInputStream(lines)) {
            flags = SubmissionRuleTable.read(lines.toString(), in)
                    .rules(SubmissionRuleTable.GENERAL)
                    .flags();
        }
        List<String> spaced = new ArrayList<>();
        List<String> joined = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        for (FlagRule flag : flags) {
            List<String> words = flag.takesValue() ? List.of(flag.name(), value(flag)) : List.of(flag.name());
            boolean runs = !CONTROL.contains(flag.name());
            assertApplication(runs, words);
            if (flag.takesValue()) {
                assertApplication(runs, List.of(flag.name() + "=" + value(flag)));
                assertApplication(runs, List.of(flag.name(), ""));
            }
            if (!flag.alias().isEmpty()) {
                assertApplication(runs, flag.takesValue() ? List.of(flag.alias(), value(flag)) : List.of(flag.alias()));
            }
            if (runs && !WITH_STATUS.contains(flag.name())) {
                spaced.addAll(words);
                joined.addAll(flag.takesValue() ? List.of(flag.name() + "=" + value(flag)) : words);
                if (flag.takesValue() && !MUST_HAVE.contains(flag.name())) {
                    empty.addAll(List.of(flag.name(), ""));
                }
            }
        }
        for (List<String> line : List.of(spaced, joined)) {
            assertHeap(Map.of(), with(line, "a.jar"), "-Xmx64m");
            String told = output(with(line, installation.applications().toString(), "a.mark", "--name")
                    .toArray(new String[0]));
            assertTrue(told.contains("heap " + 64 * MEBIBYTE + "\n"), told);
            assertTrue(told.contains("a.mark set false\n--name null false\n"), told);
        }
        empty.addAll(List.of("--class", TellsJava.class.getName()));
        assertTrue(java(Map.of(), with(empty, "a.jar")).stream().noneMatch(option -> option.startsWith("-Xmx")));
        assertTrue(output(with(empty, installation.applications().toString()).toArray(new String[0]))
                .contains("libraries "));
    }

    private static void assertApplication(boolean runs, List<String> words) throws Exception {
        boolean control = java(Map.of(), with(words, "a.jar")).contains("-XX:TieredStopAtLevel=1");
        assertEquals(runs, !control, words::toString);
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> line = new ArrayList<>(words);
        line.addAll(List.of(more));
        return line;
    }

    /** A value that an application in client mode can run with. Flags that are new here get one that counts as none. */
    private static String value(FlagRule flag) throws IOException {
        return switch (flag.name()) {
            case "--master" -> "local[1]";
            case "--deploy-mode" -> "client";
            case "--class" -> TellsJava.class.getName();
            case "--conf" -> "hearth.task.maxFailures=2";
            case "--properties-file", "--extra-properties-file" ->
                Files.writeString(scratch.resolve("some.conf"), "hearth.driver.memory 65m\n")
                        .toString();
            case "--driver-java-options" -> "--add-opens java.base/java.lang=ALL-UNNAMED -Da.mark=set";
            case "--packages" -> "dev.hearth:hearth-api:1"; // always left out, so that nothing is downloaded
            case "--exclude-packages" -> "group:name";
            case "--archives" -> installation.examples().toString();
            case "--kill", "--status" -> "driver-1";
            case "--log-level" -> "warn";
            default ->
                switch (flag.kind()) {
                    case NUMBER -> "1";
                    case SIZE -> "64m";
                    case FILES -> installation.applications().toString();
                    case TEXT -> flag.value().equals("PATHS") ? scratch.toString() : "text";
                    case SWITCH -> "";
                };
        };
    }

    private static void assertHeap(Map<String, String> environment, List<String> line, String expected)
            throws Exception {
        List<String> heaps = java(environment, line).stream()
                .filter(option -> option.startsWith("-Xmx"))
                .toList();
        assertEquals(List.of(expected), heaps, line::toString);
    }

    /** The arguments that Java would have been started with. */
    private static List<String> java(Map<String, String> environment, List<String> arguments) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", noJava.toString());
        try (Launched launched = launch(all, arguments)) {
            assertEquals(0, launched.status(), launched::errors);
            return launched.output().lines().toList();
        }
    }

    private static String output(String... arguments) throws Exception {
        try (Launched launched = launch(Map.of(), List.of(arguments))) {
            assertEquals(0, launched.status(), launched::errors);
            return launched.output();
        }
    }

    private static Launched launch(Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/submit").toString()));
        command.addAll(arguments);
        return Launched.start(scratch, environment, command);
    }
}
