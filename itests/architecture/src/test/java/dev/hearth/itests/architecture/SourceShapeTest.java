package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every source follows the house style, and that {@link SourceShape} finds violations. */
class SourceShapeTest {
    @Test
    void everySourceOfTheTreeHasTheShapeOfTheHouse() throws Exception {
        try (StandardJavaFileManager files =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
            List<Path> sources = Repository.javaFiles();
            List<String> problems = SourceShape.problems(
                    files.getJavaFileObjectsFromPaths(sources), file -> Repository.name(Path.of(file.toUri())));
            Findings.expectNone(problems);
        }
    }

    @Test
    void findsAMethodOfMoreThanFiftyLinesAndLetsOneOfFiftyPass() {
        assertEquals(
                List.of("Wrong.java:1: method run: 51 lines (expected: 50 at most); split it"),
                problems("class Wrong { void run() {" + "\n".repeat(50) + "} }"));
        assertEquals(List.of(), problems("class Right { void run() {" + "\n".repeat(49) + "} }"));
    }

    @Test
    void findsAClassOfMoreThanSixHundredLinesAndLetsOneOfSixHundredPass() {
        assertEquals(
                List.of("Wrong.java:2: class Wrong: 601 lines (expected: 600 at most); split it"),
                problems("/** Not counted. */\nclass Wrong {" + "\n".repeat(600) + "}"));
        assertEquals(List.of(), problems("class Right {" + "\n".repeat(599) + "}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "void wait() { Thread.sleep(1); }",
                "void wait() { java.lang.Thread.sleep(1); }",
                "void wait() { java.util.concurrent.TimeUnit.DAYS.sleep(1); }",
                "void wait() { MILLISECONDS.sleep(1); }",
                "Sleeper sleeper = Thread::sleep;"
            })
    void findsSleeping(String member) {
        List<String> problems = problems("class Wrong {\n" + member + "}");
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(
                problems.get(0).endsWith("(expected: no sleeping); wait for an event, within a bound"),
                problems.get(0));
    }

    @Test
    void findsSleepingThatIsImported() {
        assertEquals(
                1,
                problems("import static java.lang.Thread.sleep; class Wrong {}").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "void wait() { LockSupport.parkNanos(1); }",
                "void wait() { java.util.concurrent.locks.LockSupport.parkUntil(1); }",
                "void wait() { parkNanos(1); }",
                "Sleeper sleeper = LockSupport::parkNanos;"
            })
    void findsParkingForATimeInTestsAlone(String member) {
        String text = "class Wrong {\n" + member + "}";
        assertEquals(List.of(), problems(text));
        List<String> problems = problems("module/src/test/java/Wrong.java", text);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.get(0).endsWith("or by Eventually of the test kit"), problems.get(0));
    }

    @Test
    void findsTestsThatAreSwitchedOff() {
        assertEquals(
                List.of("Wrong.java:1: @Disabled (expected: every test runs); mend the test or remove it"),
                problems("@org.junit.jupiter.api.Disabled class Wrong {}"));
        assertEquals(
                1,
                problems("class Wrong { @Disabled(\"later\") void test() {} }").size());
    }

    @Test
    void takesNoWordForADeed() {
        assertEquals(
                List.of(),
                problems("/** Thread.sleep(1) */ class Right { String text = \"@Disabled Thread.sleep(1)\"; }"));
    }

    private static List<String> problems(String text) {
        return problems("Wrong.java", text);
    }

    private static List<String> problems(String place, String text) {
        return SourceShape.problems(
                List.of(new SourceText(place, text)), file -> file.getName().substring(1));
    }
}
