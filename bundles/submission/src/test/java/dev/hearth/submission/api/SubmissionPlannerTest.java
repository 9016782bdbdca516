package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that a submission carries, in both deploy modes. */
class SubmissionPlannerTest {
    @TempDir
    private Path base;

    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void makeFiles() throws IOException {
        jar("a.jar", "x.Main");
        Files.createDirectories(base.resolve("lib"));
        jar("lib/1.jar", "");
        jar("lib/2.jar", "");
        Files.writeString(base.resolve("words.txt"), "to be");
    }

    @Test
    void fillsInPatternsAndMakesPathsAbsolute() {
        SubmissionPlan plan = client(
                Map.of(
                        "hearth.jars",
                        "lib/*.jar",
                        "hearth.files",
                        "w?rds.txt,words.txt#o t",
                        "hearth.archives",
                        "a.jar#z"),
                "a.jar");
        assertEquals(
                List.of(
                        "APPLICATION_JAR " + uri("a.jar"),
                        "JAR " + uri("lib/1.jar"),
                        "JAR " + uri("lib/2.jar"),
                        "FILE " + uri("words.txt"),
                        "FILE " + uri("words.txt") + "#o%20t",
                        "ARCHIVE " + uri("a.jar") + "#z"),
                texts(plan));
        assertEquals("o t", plan.resources(Kind.FILE).get(1).name());
        assertEquals(
                base.resolve("lib/1.jar") + "," + base.resolve("lib/2.jar"),
                plan.settings().find("hearth.jars").orElse(""));
    }

    @ParameterizedTest
    @EnumSource(DeployMode.class)
    void movesAddressesOfPackagesFromTheJarsToThePackages(DeployMode mode) {
        SubmissionPlan plan = plan(
                mode,
                Map.of("hearth.jars", "ivy://a:b:1,local:/none/b.jar", "hearth.jars.packages", "c:d:2"),
                Optional.of("local:/none/a.jar"),
                Optional.of("x.Main"));
        assertEquals(List.of("APPLICATION_JAR local:/none/a.jar", "JAR local:/none/b.jar"), texts(plan));
        assertEquals(
                "c:d:2,ivy://a:b:1",
                plan.settings().find("hearth.jars.packages").orElse(""));
        assertEquals("local:/none/b.jar", plan.settings().find("hearth.jars").orElse(""));
    }

    @ParameterizedTest
    @EnumSource(DeployMode.class)
    void passesOnWhatEveryMachineHasUntouched(DeployMode mode) {
        SubmissionPlan plan = plan(
                mode,
                Map.of(
                        "hearth.jars", "local:/none/b.jar",
                        "hearth.files", "local:/none/b.txt#c.txt",
                        "hearth.driver.extraClassPath", "local:/none/*:local:///none/x.jar",
                        "hearth.driver.extraLibraryPath", "local:/none/native:/other"),
                Optional.of("local:/none/a.jar"),
                Optional.of("x.Main"));
        assertEquals(
                List.of(
                        "APPLICATION_JAR local:/none/a.jar",
                        "JAR local:/none/b.jar",
                        "FILE local:/none/b.txt#c.txt",
                        // the entries of this machine's class path are paths; those of another machine are never sent
                        mode == DeployMode.CLIENT ? "CLASS_PATH file:///none/*" : "CLASS_PATH local:/none/*",
                        mode == DeployMode.CLIENT ? "CLASS_PATH file:///none/x.jar" : "CLASS_PATH local:/none/x.jar",
                        "NATIVE_PATH file:///none/native",
                        "NATIVE_PATH file:///other"),
                texts(plan));
        assertEquals(
                "/none/*:/none/x.jar",
                plan.settings().find("hearth.driver.extraClassPath").orElse(""));
        assertEquals(
                "/none/native:/other",
                plan.settings().find("hearth.driver.extraLibraryPath").orElse(""));
    }

    @ParameterizedTest
    @EnumSource(DeployMode.class)
    void passesOnAddressesOfStores(DeployMode mode) {
        SubmissionPlan plan = plan(
                mode,
                Map.of(
                        "hearth.jars",
                        "s3a://b/*.jar,hdfs://h:9/c.jar",
                        "hearth.driver.extraClassPath",
                        "hdfs://h:9/x.jar:lib"),
                Optional.of("https://host/a.jar?v=1"),
                Optional.empty());
        assertEquals(
                "https://host/a.jar?v=1", plan.applicationJar().orElseThrow().toString());
        assertEquals("", plan.mainClass());
        assertEquals("a.jar", plan.name());
        assertEquals(
                List.of("s3a://b/*.jar", "hdfs://h:9/c.jar"),
                plan.resources(Kind.JAR).stream()
                        .map(SubmissionResource::toString)
                        .toList());
        assertEquals("hdfs://h:9/x.jar", plan.resources(Kind.CLASS_PATH).get(0).toString());
    }

    @Test
    void checksNoFileOfAnotherMachineInClusterMode() {
        SubmissionPlan plan = plan(
                DeployMode.CLUSTER,
                Map.of("hearth.jars", "/none/*.jar,b.jar", "hearth.files", "/none/b.txt"),
                Optional.of("file:/none/a.jar"),
                Optional.of("x.Main"));
        assertEquals(
                List.of(
                        "APPLICATION_JAR file:///none/a.jar",
                        "JAR file:///none/*.jar",
                        "JAR " + uri("b.jar"),
                        "FILE file:///none/b.txt"),
                texts(plan));
        refuses(
                "PATH_MISSING",
                "application jar: '/none/a.jar': no such file (expected: a jar on this machine)",
                () -> plan(DeployMode.CLUSTER, Map.of(), Optional.of("/none/a.jar"), Optional.empty()));
        assertEquals(
                "x.Main",
                plan(DeployMode.CLUSTER, Map.of(), Optional.of("a.jar"), Optional.empty())
                        .mainClass());
    }

    @Test
    void needsNoJarIfAMainClassIsGiven() {
        for (Optional<String> application : List.of(Optional.<String>empty(), Optional.of("spark-internal"))) {
            SubmissionPlan plan =
                    plan(DeployMode.CLIENT, Map.of("hearth.jars", "a.jar"), application, Optional.of("x.Main"));
            assertEquals(List.of("JAR " + uri("a.jar")), texts(plan));
            assertEquals("x.Main", plan.name());
            refuses(
                    "BAD_ARGUMENT",
                    "application jar: none given (expected: submit [flags] <application jar>",
                    () -> plan(DeployMode.CLIENT, Map.of("hearth.jars", "a.jar"), application, Optional.empty()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.jars    | lib/3*.jar        | PATH_MISSING | jar from test: 'lib/3*.jar': no such file (expected: a jar",
                "hearth.jars    | lib               | PATH_MISSING | jar from test: 'lib': a directory (expected: a jar",
                "hearth.files   | none.txt          | PATH_MISSING | file from test: 'none.txt': no such file (expected: a file",
                "hearth.files   | lib               | PATH_MISSING | file from test: 'lib': a directory (expected: a file",
                "hearth.files   | lib/*.jar#x       | BAD_ARGUMENT | file from test: 'lib/*.jar#x': resolves ambiguously to multiple files",
                "hearth.files   | words.txt#a/b     | BAD_ARGUMENT | file from test: 'words.txt#a/b': name 'a/b' (expected: ",
                "hearth.files   | words.txt#        | BAD_ARGUMENT | file from test: 'words.txt#': name '' (expected: ",
                "hearth.files   | s3:a.txt          | BAD_ARGUMENT | file from test: 's3:a.txt': ",
                "hearth.files   | https://h/a b     | BAD_ARGUMENT | file from test: 'https://h/a b': ",
                "hearth.files   | file:words.txt    | BAD_ARGUMENT | file from test: 'file:words.txt': ",
                "hearth.files   | local:words.txt   | BAD_ARGUMENT | file from test: 'local:words.txt': ",
                "hearth.archives | none.zip         | PATH_MISSING | archive from test: 'none.zip': no such file",
                "hearth.driver.extraLibraryPath | hdfs://h/native | BAD_ARGUMENT | library path from test: 'hdfs://h/native': an address (expected: ",
            })
    void refusesWhatCannotBeCarried(String key, String value, String code, String message) {
        refuses(code, message, () -> client(Map.of(key, value), "a.jar"));
    }

    @Test
    void givesVariablesToADriverOnAClusterAlone() {
        Map<String, String> settings = Map.of("hearth.driverEnv.COLOUR", "blue", "hearth.driverEnv.SPARK_USER", "bob");
        assertEquals(
                Map.of("COLOUR", "blue", "SPARK_USER", "bob", "SPARK_TEAM", "red"),
                plan(DeployMode.CLUSTER, settings, Optional.of("a.jar"), Optional.empty())
                        .environment());
        assertEquals(Map.of(), client(settings, "a.jar").environment());
    }

    @Test
    void warnsOfAJarThatOnlyTheMachineOfTheDriverCanHave() {
        plan(DeployMode.CLUSTER, Map.of(), Optional.of("none.jar"), Optional.of("example.Main"));

        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).contains("none.jar': not seen on this machine"), warnings::toString);
    }

    private SubmissionPlan client(Map<String, String> settings, String application) {
        return plan(DeployMode.CLIENT, settings, Optional.of(application), Optional.empty());
    }

    private SubmissionPlan plan(
            DeployMode mode, Map<String, String> settings, Optional<String> application, Optional<String> mainClass) {
        Map<String, String> environment = Map.of("SPARK_USER", "ann", "SPARK_TEAM", "red", "SPARK_HOME", "/opt/spark");
        return new SubmissionPlanner(Settings.empty().with("test", settings), base, mode, environment, warnings::add)
                .plan(application, mainClass, List.of());
    }

    private static void refuses(String code, String message, Executable use) {
        HearthException refused = assertThrows(HearthException.class, use);
        assertTrue(String.valueOf(refused.getMessage()).startsWith(message), refused::getMessage);
        assertEquals(code, refused.code(), refused::getMessage);
    }

    private static List<String> texts(SubmissionPlan plan) {
        return plan.resources().stream().map(SubmissionResource::text).toList();
    }

    private String uri(String name) {
        return base.resolve(name).toUri().toString();
    }

    private void jar(String name, String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!mainClass.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        new JarOutputStream(Files.newOutputStream(base.resolve(name)), manifest).close();
    }
}
