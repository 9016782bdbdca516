package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Sixty wrong command lines of bin/submit and bin/spark-submit. Each fails with one line that names what is wrong and what
 * is expected, and with the exit status of docs/errors.md. The word {@code EMPTY} stands for an empty value.
 */
@Timeout(30)
class WrongCommandLinesTest extends SubmitRoleFixture {
    @BeforeEach
    void createFiles() throws Exception {
        jar();
        Files.writeString(directory.resolve("bad.conf"), "lonely\n");
    }

    @ParameterizedTest(name = "{3} {4}")
    @CsvFileSource(resources = "/wrong-command-lines.tsv", delimiter = '\t', numLinesToSkip = 1)
    void sayInOneLineWhatIsWrongAndWhatIsExpected(
            int status, String message, String expected, String script, String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.replaceAll(word -> word.equals("EMPTY")
                ? ""
                : word.replace("a.jar", directory.resolve("a.jar").toString())
                        .replace("bad.conf", directory.resolve("bad.conf").toString()));
        SubmitRole role = script.equals("spark-submit") ? ofSpark : this.role;
        HearthException failure =
                assertThrows(HearthException.class, () -> run(role, words.toArray(new String[0])), line);
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains(message), text);
        assertTrue(text.contains("(expected: " + expected), text);
        assertEquals(1, text.lines().count(), text);
        assertEquals(status, ErrorCode.of(failure).orElseThrow().exit().status(), text);
        assertEquals("", text(out));
    }
}
