package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/glossary.md and the code use the same words: types it names exist, and no type's name has a word it
 * rules out.
 */
class GlossaryPageTest {
    private static final String PAGE = "docs/glossary.md";
    private static final int LINES_MAX = 100;
    private static final Pattern ROW = Pattern.compile("(?m)^\\|([^|\\n]+)\\|([^|\\n]+)\\|([^|\\n]*)\\|([^|\\n]*)\\|$");
    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)`");
    private static final Pattern HUMP = Pattern.compile("[A-Z][a-z0-9]*");

    /** One line of the page: a term, its meaning, its types, and the words not used for it. */
    private record Term(String name, String meaning, List<String> types, List<String> never) {}

    @Test
    void isShortAndHasRows() {
        String page = Document.read(PAGE);
        assertTrue(page.lines().count() <= LINES_MAX, PAGE + ": longer than " + LINES_MAX + " lines");
        assertTrue(terms(page).size() >= 50, PAGE + ": " + terms(page).size() + " terms (expected: 50 or more)");
    }

    @Test
    void namesEachTermOnce() {
        List<String> names = terms(Document.read(PAGE)).stream().map(Term::name).toList();
        assertEquals(names.stream().distinct().toList(), names);
    }

    @Test
    void theTypesItNamesExist() {
        Set<String> types = mainTypes();
        Findings.expectNone(terms(Document.read(PAGE)).stream()
                .flatMap(term -> term.types().stream()
                        .filter(type -> !types.contains(type))
                        .map(type ->
                                PAGE + ": " + term.name() + ": no type " + type + " (expected: one); was it renamed?"))
                .toList());
    }

    @Test
    void noTypeIsNamedByAWordThatItRulesOut() {
        Findings.expectNone(forbidden(terms(Document.read(PAGE)), mainTypes()));
    }

    @Test
    void findsARuledOutWordInATypesName() {
        List<Term> terms = terms("| block | smallest piece | `BlockStore` | chunk, \"slice\" |\n");
        assertEquals(List.of("BlockStore"), terms.get(0).types());
        assertEquals(
                List.of("ChunkFile: 'chunk' (expected: block, docs/glossary.md)"),
                forbidden(terms, Set.of("ChunkFile", "Chunked", "BlockStore")));
    }

    private static List<String> forbidden(List<Term> terms, Set<String> types) {
        List<String> problems = new ArrayList<>();
        for (String type : types.stream().sorted().toList()) {
            Set<String> humps = HUMP.matcher(type)
                    .results()
                    .map(hump -> hump.group().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            for (Term term : terms) {
                term.never().stream()
                        .filter(humps::contains)
                        .forEach(word ->
                                problems.add(type + ": '" + word + "' (expected: " + term.name() + ", " + PAGE + ")"));
            }
        }
        return problems;
    }

    /** Words in quotes are ruled out in prose alone: types may have them for another concept. */
    private static List<Term> terms(String page) {
        return ROW.matcher(page)
                .results()
                .filter(row ->
                        !row.group(1).strip().equals("term") && !row.group(1).startsWith("-"))
                .map(row -> new Term(row.group(1).strip(), row.group(2).strip(), types(row), never(row)))
                .toList();
    }

    private static List<String> types(MatchResult row) {
        return TYPE.matcher(row.group(3)).results().map(type -> type.group(1)).toList();
    }

    private static List<String> never(MatchResult row) {
        return Arrays.stream(row.group(4).split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty() && !word.startsWith("\""))
                .toList();
    }

    private static Set<String> mainTypes() {
        Set<String> types = new HashSet<>();
        Repository.javaFiles().stream()
                .filter(file -> Repository.name(file).contains("/src/main/java/"))
                .forEach(file -> types.add(file.getFileName().toString().replace(".java", "")));
        return types;
    }
}
