package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Javadoc and comments name the component and the action. The two limits are a ratchet: lower them when the tree is better,
 * never raise them.
 */
class WordingTest {
    private static final int RATE_MAX = 0;
    private static final int TEST_RATE_MAX = 0;
    private static final String TESTS = "/src/test/";
    private static final Predicate<Path> IN_TESTS =
            file -> Repository.name(file).contains(TESTS);

    @Test
    void productionCodeUsesFewRiddlingWords() {
        expectAtMost(RATE_MAX, Wording.of(sources(IN_TESTS.negate())));
    }

    @Test
    void testsUseFewRiddlingWords() {
        expectAtMost(TEST_RATE_MAX, Wording.of(sources(IN_TESTS)));
    }

    @Test
    void noJavadocBeginsWithAQuestionWord() {
        List<String> openings = Wording.of(Repository.javaFiles()).openings().stream()
                .map(opening -> opening + " (expected: a noun phrase, or a verb in the third person)")
                .toList();
        Findings.expectNone(openings);
    }

    @Test
    void findsRiddlesInCommentsAlone(@TempDir Path directory) throws Exception {
        Path source = Files.writeString(directory.resolve("Wrong.java"), """
                /** Whoever waits is told. */
                class Wrong { // nobody hears it
                    String text = "somebody /* told */ // behind";
                    /* It lies 'here'. */ char quote = '"';
                    /** Whose turn it is. */
                    /** Whether it is so. */
                }
                """);
        Wording wording = Wording.of(List.of(source));
        assertEquals(5, wording.riddles().size(), wording.riddles().toString());
        assertEquals(2, wording.openings().size(), wording.openings().toString());
        assertTrue(
                wording.riddles().get(2).endsWith(":2: nobody"),
                wording.riddles().toString());
        assertEquals(18, wording.words());
        assertEquals(5 * 100_000 / 18, wording.rate());
    }

    private static List<Path> sources(Predicate<Path> predicate) {
        return Repository.javaFiles().stream()
                .filter(predicate.and(file -> !Repository.name(file).contains("/programs-of-spark/")))
                .toList();
    }

    private static void expectAtMost(int limit, Wording wording) {
        assertTrue(wording.words() > 1_000, "the tree was not found");
        assertTrue(
                wording.rate() <= limit,
                () -> wording.riddles().size() + " riddling words in " + wording.words() + " = " + wording.rate()
                        + " per 100,000 (expected: " + limit + " at most); name the component instead:\n"
                        + String.join("\n", wording.riddles()));
    }
}
