package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks the pages about suites of Spark: each suite has as many rows as Spark's has tests, the counts are those of the rows, a
 * row that is taken or turned names tests of the tree, and one that is turned or dropped gives the reason.
 */
class SuitesPageTest {
    /** Numbers of tests of Spark's suites, by page and suite. */
    private static final Map<String, Map<String, Integer>> PAGES = Map.of(
            "docs/suites-launcher.md",
            Map.of(
                    "LauncherServerSuite", 6,
                    "ChildProcAppHandleSuite", 11,
                    "CommandBuilderUtilsSuite", 6,
                    "InProcessLauncherSuite", 3,
                    "SparkClassCommandBuilderSuite", 1,
                    "SparkLauncherSuite", 6,
                    "LauncherBackendSuite", 1),
            "docs/suites-submit.md",
            Map.of(
                    "SparkSubmitSuite", 63,
                    "SparkSubmitOptionParserSuite", 4,
                    "SparkSubmitCommandBuilderSuite", 19),
            "docs/suites-packages.md",
            Map.of(
                    "MavenUtilsSuite", 17,
                    "DependencyUtilsSuite", 1));

    private static final List<String> MARKS = List.of("taken", "turned", "dropped");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)\\n((?:.*\\|\\n)+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| (taken|turned|dropped) \\| (.+) \\|$");
    private static final Pattern COUNTS =
            Pattern.compile("(?m)^\\| (\\w+Suite) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$");

    @Test
    void everyTestOfSparkHasItsRow() {
        List<String> problems = new ArrayList<>();
        Map<String, String> sources = CoveragePageTest.sources();
        PAGES.forEach((page, tests) -> problems.addAll(problems(Document.read(page), tests, sources)));
        Findings.expectNone(problems);
    }

    @Test
    void findsWhatIsWrong() {
        assertEquals(
                List.of(
                        "ASuite: 3 rows (expected: 2)",
                        "a: `HereTest.gone` (expected: a test of the tree)",
                        "b: no reason (expected: one before the tests)",
                        "c: `HereTest.works` (expected: no test, as it is dropped)",
                        "ASuite: counts [2, 1, 1, 0] (expected: [3, 1, 1, 1])",
                        "BSuite: not on the page (expected: its rows)"),
                problems(
                        """
                        | ASuite | 2 | 1 | 1 | 0 |
                        ## ASuite
                        | test | row | here |
                        | a | taken | `HereTest.gone` |
                        | b | turned | `HereTest.works` |
                        | c | dropped | as `HereTest.works` |
                        """,
                        new LinkedHashMap<>(Map.of("ASuite", 2, "BSuite", 1)),
                        Map.of("HereTest", "void works() {}")));
    }

    private static List<String> problems(String page, Map<String, Integer> tests, Map<String, String> sources) {
        List<String> problems = new ArrayList<>();
        Map<String, List<Integer>> found = new LinkedHashMap<>();
        for (Matcher section = SECTION.matcher(page); section.find(); ) {
            String suite = section.group(1);
            List<Matcher> rows = new ArrayList<>();
            List<Integer> counts = new ArrayList<>(List.of(0, 0, 0, 0));
            for (Matcher row = ROW.matcher(section.group(2)); row.find(); ) {
                int mark = MARKS.indexOf(row.group(2)) + 1;
                counts.set(0, counts.get(0) + 1);
                counts.set(mark, counts.get(mark) + 1);
                rows.add(ROW.matcher(row.group()));
            }
            if (!counts.get(0).equals(tests.get(suite))) {
                problems.add(suite + ": " + counts.get(0) + " rows (expected: " + tests.get(suite) + ")");
            }
            rows.forEach(row -> check(row, sources, problems));
            found.put(suite, counts);
        }
        for (Matcher counts = COUNTS.matcher(page); counts.find(); ) {
            List<Integer> said = List.of(number(counts, 2), number(counts, 3), number(counts, 4), number(counts, 5));
            List<Integer> rows = found.get(counts.group(1));
            if (!said.equals(rows)) {
                problems.add(counts.group(1) + ": counts " + said + " (expected: " + rows + ")");
            }
        }
        tests.keySet().stream()
                .filter(suite -> !found.containsKey(suite))
                .sorted()
                .forEach(suite -> problems.add(suite + ": not on the page (expected: its rows)"));
        return problems;
    }

    private static int number(Matcher counts, int group) {
        return Integer.parseInt(counts.group(group));
    }

    private static void check(Matcher row, Map<String, String> sources, List<String> problems) {
        row.find();
        String test = row.group(1);
        String mark = row.group(2);
        String here = row.group(3);
        boolean named = false;
        for (Matcher name = CoveragePageTest.NAME.matcher(here); name.find(); ) {
            named = true;
            String source = sources.get(name.group(1));
            if (mark.equals("dropped")) {
                problems.add(test + ": " + name.group() + " (expected: no test, as it is dropped)");
            } else if (source == null || (name.group(2) != null && !source.contains(" " + name.group(2) + "("))) {
                problems.add(test + ": " + name.group() + " (expected: a test of the tree)");
            }
        }
        if (!named && !mark.equals("dropped")) {
            problems.add(test + ": no test (expected: one)");
        }
        if (mark.equals("turned") && here.startsWith("`")) {
            problems.add(test + ": no reason (expected: one before the tests)");
        }
    }
}
