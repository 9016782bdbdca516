package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that docs/errors.md, the one place that explains error codes (docs/decisions.md D19), lists all of them. */
class ErrorsPageTest {
    private static final String PAGE = "docs/errors.md";

    @Test
    void everyErrorCodeHasItsRow() {
        String page = Document.read(PAGE);
        Findings.expectNone(Arrays.stream(ErrorCode.values())
                .map(code -> "| " + code + " | " + code.category() + " | "
                        + code.exit().status() + " | ")
                .flatMap(row -> missing(page, row))
                .toList());
    }

    @Test
    void everyExitCodeHasItsRow() {
        String page = Document.read(PAGE);
        Findings.expectNone(Arrays.stream(ExitCode.values())
                .map(code -> "| " + code.status() + " | " + code + " | ")
                .flatMap(row -> missing(page, row))
                .toList());
    }

    @Test
    void missesARowWithAnotherCategoryOrStatusOrWithoutWords() {
        String row = "| PEER_LOST | EXTERNAL | 5 | ";
        assertEquals(
                0,
                missing("# Codes\n| PEER_LOST | EXTERNAL | 5 | gone |\n", row).count());
        assertEquals(1, missing("| PEER_LOST | EXTERNAL | 4 | gone |", row).count());
        assertEquals(1, missing("| PEER_LOST | USER | 5 | gone |", row).count());
        assertEquals(1, missing("| PEER_LOST | EXTERNAL | 5 |  |", row).count());
        assertEquals(1, missing("see PEER_LOST", row).count());
    }

    /** The problem to report when no line of the page begins with {@code row} and continues with an explanation. */
    private static Stream<String> missing(String page, String row) {
        boolean there = page.lines()
                .anyMatch(line -> line.startsWith(row)
                        && !line.substring(row.length()).replace("|", "").isBlank());
        return there ? Stream.empty() : Stream.of(PAGE + ": no row '" + row + "...' (expected: one, with its meaning)");
    }
}
