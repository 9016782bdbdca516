package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks docs/coverage.md: every row that is done names classes and tests of the tree, every row that is open says what
 * is missing, and no row is there twice.
 */
class CoveragePageTest {
    private static final String PAGE = "docs/coverage.md";
    private static final int ROWS_MIN = 250;
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]?\\d[\\w-]*) \\| (.+) \\| (.*) \\| (.*) \\|$");
    static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern FILE = Pattern.compile("`([a-z][\\w./-]*/[\\w.-]+)`");
    private static final String OPEN = "open: ";

    @Test
    void everyRowNamesClassesAndTestsOfTheTree() {
        String page = Document.read(PAGE);
        assertTrue(ROW.matcher(page).results().count() >= ROWS_MIN, "the rows were not found");
        Findings.expectNone(problems(page, sources()));
    }

    @Test
    void findsWhatIsMissing() {
        Map<String, String> sources = Map.of("Here", "class Here {}", "HereTest", "void works() {}");
        assertEquals(
                List.of(
                        "row 1: a class of the tree (expected: one at least)",
                        "row 2: `HereTest.gone` (expected: a test of the tree)",
                        "row 3: no test (expected: one at least)",
                        "row 3: there twice (expected: once)",
                        "row 4: open without a reason (expected: what is missing)",
                        "row 5: `Gone` (expected: a class of the tree)"),
                problems("""
                        | 1 | a | bin | `HereTest.works` |
                        | 2 | a | `Here` | `HereTest.gone` |
                        | 3 | a | `Here` | |
                        | 3 | a | `Here` | `HereTest` |
                        | 4 | a | open: | |
                        | 5 | a | `Gone` | `HereTest` |
                        | 6 | a | open: later, with the console | |
                        """, sources));
    }

    private static List<String> problems(String page, Map<String, String> sources) {
        List<String> problems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Matcher row = ROW.matcher(page.replace("| |\n", "|  |\n")); row.find(); ) {
            String name = "row " + row.group(1);
            if (row.group(3).strip().startsWith(OPEN.strip())) {
                if (row.group(3).strip().length() <= OPEN.length()) {
                    problems.add(name + ": open without a reason (expected: what is missing)");
                }
            } else {
                check(name, row.group(3), row.group(4), sources, problems);
            }
            if (!seen.add(row.group(1))) {
                problems.add(name + ": there twice (expected: once)");
            }
        }
        return problems;
    }

    private static void check(
            String row, String classes, String tests, Map<String, String> sources, List<String> problems) {
        Matcher named = NAME.matcher(classes);
        boolean some = FILE.matcher(classes).find();
        while (named.find()) {
            some = true;
            if (!sources.containsKey(named.group(1))) {
                problems.add(row + ": `" + named.group(1) + "` (expected: a class of the tree)");
            }
        }
        if (!some) {
            problems.add(row + ": a class of the tree (expected: one at least)");
        }
        Matcher test = NAME.matcher(tests);
        boolean tested = false;
        while (test.find()) {
            tested = true;
            String source = sources.get(test.group(1));
            String method = test.group(2);
            if (source == null || (method != null && !source.contains(" " + method + "("))) {
                problems.add(row + ": " + test.group() + " (expected: a test of the tree)");
            }
        }
        if (!tested) {
            problems.add(row + ": no test (expected: one at least)");
        }
    }

    /** The texts of all Java files by the names of their top-level types. */
    static Map<String, String> sources() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Path file : Repository.javaFiles()) {
            String name = file.getFileName().toString();
            sources.put(name.substring(0, name.length() - ".java".length()), Repository.text(file));
        }
        return sources;
    }
}
