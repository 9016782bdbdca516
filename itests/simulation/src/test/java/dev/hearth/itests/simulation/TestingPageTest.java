package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the example on docs/testing.md is the source of a test that runs. */
class TestingPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "testing.md");
    private static final Path EXAMPLE = Path.of("src/test/java/dev/hearth/itests/simulation/ExampleTest.java");

    @Test
    void showsTheExampleAsItIs() throws IOException {
        String source = Files.readString(EXAMPLE);
        String shown = source.substring(source.indexOf("/**")).strip();
        assertTrue(
                Files.readString(PAGE).contains("```java\n" + shown + "\n```"),
                () -> PAGE + ": does not show " + EXAMPLE + " as it is (expected: a block with its text from the first"
                        + " comment on); copy it there");
    }
}
