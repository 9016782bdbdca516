package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the classes, tests and settings named on the pages for developers exist. */
class NamesOnPagesTest {
    private static final String ARCHITECTURE = "ARCHITECTURE.md";
    private static final String BOUNDS = "docs/bounds.md";
    private static final String INVARIANTS = "docs/invariants.md";
    private static final int LINES_MAX = 250;
    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:[.#]\\w+)?`");
    private static final Pattern SETTING = Pattern.compile("`(hearth\\.[a-zA-Z][\\w.]*)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!---|what \\||invariant \\|)(.+) \\|$");
    private static final Set<String> DECLARED = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
            .flatMap(List::stream)
            .map(key -> key.name())
            .collect(Collectors.toCollection(TreeSet::new));

    @Test
    void theArchitectureIsShort() {
        long lines = Document.read(ARCHITECTURE).lines().count();
        assertTrue(lines <= LINES_MAX, ARCHITECTURE + ": " + lines + " lines (expected: " + LINES_MAX + " at most)");
    }

    @Test
    void classesOnThePagesExist() {
        Set<String> types = types();
        List<String> problems = new ArrayList<>();
        for (String page : List.of(ARCHITECTURE, BOUNDS, INVARIANTS, "CONTRIBUTING.md", "docs/decisions.md")) {
            problems.addAll(missing(page, Document.read(page), types));
        }
        Findings.expectNone(problems);
    }

    @Test
    void settingsOfBoundsAreDeclared() {
        Findings.expectNone(SETTING.matcher(Document.read(BOUNDS))
                .results()
                .map(key -> key.group(1))
                .filter(key -> !DECLARED.contains(key))
                .map(key -> BOUNDS + ": " + key + " (expected: a setting of docs/configuration.md)")
                .toList());
    }

    @Test
    void everyBoundNamesItsClassAndEveryInvariantItsTest() {
        List<String> problems = new ArrayList<>();
        problems.addAll(silent(BOUNDS, Document.read(BOUNDS)));
        problems.addAll(silent(INVARIANTS, Document.read(INVARIANTS)));
        Findings.expectNone(problems);
        assertTrue(ROW.matcher(Document.read(INVARIANTS)).results().count() > 50, "the rows were not found");
    }

    @Test
    void findsWhatIsNotThere() {
        assertEquals(
                List.of("page: `Gone` (expected: a class of the tree)"),
                missing("page", "`Gone` `Here` `Here.call` `GET` `a.b`", Set.of("Here")));
        assertEquals(1, silent("page", "| one | `Here` |\n| two | nothing |\n").size());
    }

    private static List<String> missing(String page, String text, Set<String> types) {
        return TYPE.matcher(text)
                .results()
                .map(type -> type.group(1))
                .filter(type -> !types.contains(type))
                .distinct()
                .map(type -> page + ": `" + type + "` (expected: a class of the tree)")
                .toList();
    }

    private static List<String> silent(String page, String text) {
        return ROW.matcher(text)
                .results()
                .map(row -> row.group(1))
                .filter(row ->
                        !TYPE.matcher(row.substring(row.lastIndexOf(" | ") + 1)).find() && !row.contains("`itests/"))
                .map(row -> page + ": " + row + " (expected: a class in the last column)")
                .toList();
    }

    /** The names of all files and of the types nested in them, of production code and tests. */
    private static Set<String> types() {
        Pattern declared = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
        return Repository.javaFiles().stream()
                .flatMap(file -> declared.matcher(Repository.text(file)).results())
                .map(type -> type.group(1))
                .collect(Collectors.toSet());
    }
}
