package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/getting-started.md: creates its files and runs its commands in an empty directory. */
@Timeout(300)
class GettingStartedIT {
    private static final Pattern FILE =
            Pattern.compile("^`([\\w./]+)`\\n```\\w+\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final String COUNTS = "be 2\nnot 1\nor 1\nto 2\n";

    @TempDir
    Path scratch;

    @Test
    void buildsTestsAndRunsTheProjectOnThePage() throws Exception {
        String page = Files.readString(
                Path.of(Objects.requireNonNull(System.getProperty("hearth.docs")), "getting-started.md"));
        Path project = Files.createDirectory(scratch.resolve("project"));
        Map<String, String> files = files(page);
        assertEquals(
                List.of("pom.xml", "src/main/java/user/Words.java", "src/test/java/user/WordsTest.java"),
                List.copyOf(files.keySet()));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path place = project.resolve(file.getKey());
            Files.createDirectories(place.getParent());
            Files.writeString(place, file.getValue());
        }
        Path text = Files.writeString(scratch.resolve("some-text.txt"), "to be or\nnot to be\n");

        build(project, command(page, "mvn "));
        assertTrue(Files.readString(project.resolve("target/surefire-reports/user.WordsTest.txt"))
                .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"));
        try (Launched plain = Launched.start(scratch, plain(project, command(page, "java "), text))) {
            assertEquals(0, plain.status(), plain::errors);
            assertEquals(COUNTS, plain.output(), plain::errors);
        }
        String submit = command(page, "\"$HEARTH_HOME/bin/submit\" --master 'local[2]'");
        assertEquals(
                "\"$HEARTH_HOME/bin/submit\" --master 'local[2]' --class user.Words target/words-1.jar some-text.txt",
                submit);
        try (Launched submitted = Installation.in(scratch)
                .submit(
                        "--master",
                        "local[2]",
                        "--class",
                        "user.Words",
                        project.resolve("target/words-1.jar").toString(),
                        text.toString())) {
            assertEquals(0, submitted.status(), submitted::errors);
            assertEquals(COUNTS, submitted.output(), submitted::errors);
        }
    }

    private void build(Path project, String command) throws Exception {
        try (PublishedJars jars = PublishedJars.in(scratch)) {
            List<String> words = List.of(
                    "sh",
                    "-c",
                    "cd \"$0\" && exec " + command.replace("mvn ", "mvn -B -o -Dmaven.repo.local=\"$1\" "),
                    project.toString(),
                    jars.repository().toString());
            try (Launched maven = Launched.start(scratch, words)) {
                assertEquals(0, maven.status(), () -> maven.output() + maven.errors());
            }
        }
    }

    private static List<String> plain(Path project, String command, Path text) {
        return List.of(
                "sh",
                "-c",
                "cd \"$0\" && exec \"$1\"" + command.substring("java".length()).replace("some-text.txt", "\"$2\""),
                project.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                text.toString());
    }

    /** The files that the page shows, each after its name. */
    private static Map<String, String> files(String page) {
        Map<String, String> files = new TreeMap<>();
        FILE.matcher(page).results().forEach(found -> files.put(found.group(1), found.group(2)));
        return files;
    }

    private static String command(String page, String begin) {
        return page.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no command '" + begin + "' on the page"));
    }
}
