package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.TestingRules;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Command lines of the tests of Spark's front end, and what a plan has for each of them. docs/suites-submit.md lists the tests of
 * Spark. A case names the facts of the plan that its test checks, and none else.
 */
class SparkSubmitCasesTest {
    private static final InstalledRules RULES = new TestingRules(List.of(
            "hearth\tfiles\tclient,cluster\tfile",
            "hearth\t--supervise\t-\t-\thearth.driver.supervise\tcluster\tswitch\tlast\tstart it again"));
    private static final List<String> FILES = List.of(
            "thejar.jar",
            "one.jar",
            "two.jar",
            "three.jar",
            "file1.txt",
            "file2.txt",
            "archive1.zip",
            "archive2.jar",
            "globs/first.zip",
            "globs/second.zip");

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void createFiles() throws IOException {
        for (String name : FILES) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            try (OutputStream out = Files.newOutputStream(file);
                    JarOutputStream jar = new JarOutputStream(out)) {
                jar.finish();
            }
        }
        Files.writeString(
                directory.resolve("paths.conf"), "spark.jars one.jar,two.jar\nspark.files local:/file1,file2.txt\n");
        Files.writeString(directory.resolve("cores.conf"), "spark.executor.cores 16\nspark.driver.memory 4g\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/spark-submit-cases.tsv", delimiter = '\t', numLinesToSkip = 1)
    void plansWhatTheTestOfSparkExpects(String test, String line, String expected) {
        SubmissionRequest.Submit request = assertInstanceOf(SubmissionRequest.Submit.class, parse(line));
        for (String fact : expected.split(" ", -1)) {
            int equals = fact.indexOf('=');
            assertEquals(fact.substring(equals + 1), fact(request, fact.substring(0, equals)), test);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/spark-submit-refusals.tsv", delimiter = '\t', numLinesToSkip = 1)
    void refusesWhatTheTestOfSparkRefuses(String test, String line, String message) {
        HearthException refused = assertThrows(HearthException.class, () -> parse(line), test);
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::getMessage);
    }

    private SubmissionRequest parse(String line) {
        return SubmitArguments.parse(
                List.of(line.strip().split(" ", -1)),
                Settings.empty(),
                RULES,
                settings -> {},
                warning -> {},
                directory,
                Map.of());
    }

    private static String fact(SubmissionRequest.Submit request, String name) {
        SubmissionPlan plan = request.plan();
        return switch (name) {
            case "name" -> plan.name();
            case "class" -> plan.mainClass();
            case "arguments" -> String.join(",", plan.arguments());
            case "mode" -> request.mode().name().toLowerCase(Locale.ROOT);
            default ->
                name.startsWith("hearth.")
                        ? plan.settings().find(name).orElse("none")
                        : plan.resources(Kind.valueOf(name.toUpperCase(Locale.ROOT))).stream()
                                .map(resource -> fileName(resource.uri().toString()))
                                .collect(Collectors.joining(","));
        };
    }

    private static String fileName(String address) {
        return address.substring(address.lastIndexOf('/') + 1);
    }
}
