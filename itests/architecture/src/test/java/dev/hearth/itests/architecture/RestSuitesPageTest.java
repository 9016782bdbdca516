package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the tests named on the page of Spark's REST suites exist, and that its counts are those of its rows. */
class RestSuitesPageTest {
    private static final String PAGE = "docs/suites-rest.md";
    private static final int ROWS = 47; // 31 and 8 tests of Spark 4.0, one of Spark 3, and seven cases by subject
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+) \\| (taken|turned|dropped) \\| (.+) \\|$");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+Test|[A-Z]\\w+IT)\\.(\\w+)`");
    private static final Pattern COUNTS = Pattern.compile("Counts: (\\d+) taken, (\\d+) turned, (\\d+) dropped\\.");

    private final String page = Document.read(PAGE);

    @Test
    void namesTestsOfTheTree() {
        List<String> problems = new ArrayList<>();
        for (Matcher row = ROW.matcher(page); row.find(); ) {
            Matcher name = NAME.matcher(row.group(3));
            boolean named = false;
            while (name.find()) {
                named = true;
                if (!exists(name.group(1), name.group(2))) {
                    problems.add(PAGE + ": " + name.group() + " (expected: a test of the tree)");
                }
            }
            if (!named && row.group(2).equals("taken")) {
                problems.add(PAGE + ": " + row.group(1) + ": no test (expected: one at least)");
            }
        }
        Findings.expectNone(problems);
    }

    @Test
    void countsItsRows() {
        Map<String, Long> counts =
                ROW.matcher(page).results().collect(Collectors.groupingBy(row -> row.group(2), Collectors.counting()));
        Matcher counted = COUNTS.matcher(page);
        assertEquals(true, counted.find(), PAGE);
        assertEquals(
                Map.of(
                        "taken", Long.valueOf(counted.group(1)),
                        "turned", Long.valueOf(counted.group(2)),
                        "dropped", Long.valueOf(counted.group(3))),
                counts);
        assertEquals(ROWS, counts.values().stream().mapToLong(Long::longValue).sum());
    }

    private static boolean exists(String type, String method) {
        for (Path file : Repository.javaFiles()) {
            if (file.getFileName().toString().equals(type + ".java")
                    && Repository.text(file).contains(" " + method + "(")) {
                return true;
            }
        }
        return false;
    }
}
