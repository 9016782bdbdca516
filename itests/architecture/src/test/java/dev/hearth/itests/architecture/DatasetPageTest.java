package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.DoubleRdd;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobControl;
import dev.hearth.api.PairActions;
import dev.hearth.api.PairJoins;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.RddActions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/api.md maps Spark's methods to Hearth's: it lists every method of both, and no method that Hearth
 * lacks.
 */
class DatasetPageTest {
    private static final String PAGE = "docs/api.md";
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| ([^|]+) \\| ([^|]*) \\|");
    private static final Pattern METHOD = Pattern.compile("`([A-Z][\\w.]*)#(\\w+)`");
    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*)`");
    private static final List<String> PACKAGES = List.of(
            "dev.hearth.api.",
            "dev.hearth.api.function.",
            "dev.hearth.api.event.",
            "dev.hearth.api.task.",
            "dev.hearth.api.accumulator.");
    private static final List<Class<?>> INTERFACES = List.of(
            Rdd.class,
            RddActions.class,
            PairRdd.class,
            PairActions.class,
            PairJoins.class,
            DoubleRdd.class,
            HearthContext.class,
            JobControl.class);

    /** One row: Spark's class and method, Hearth's, and a remark. */
    private record Row(String type, String method, String ours, String remark) {}

    @Test
    void hasARowForEachMethodOfTheFieldAndNoOther() throws IOException {
        Set<String> rows = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        for (Row row : rows(Document.read(PAGE))) {
            if (!rows.add(row.type() + "#" + row.method())) {
                problems.add(PAGE + ": " + row.type() + "#" + row.method() + ": two rows (expected: one)");
            }
        }
        Set<String> field = field();
        assertTrue(field.size() > 200, "hardly anything is listed");
        field.stream()
                .filter(method -> !rows.contains(method))
                .forEach(method -> problems.add(PAGE + ": " + method + ": no row (expected: one)"));
        rows.stream()
                .filter(method -> !field.contains(method))
                .forEach(method -> problems.add(PAGE + ": " + method + ": not in field/dataset-api.tsv"));
        Findings.expectNone(problems);
    }

    @Test
    void leadsToAsManyFormsAsTheFieldHasOrSaysWhatElse() throws IOException {
        Map<String, String> forms = forms();
        assertTrue(forms.size() > 50, "hardly any forms are listed");
        List<String> problems = new ArrayList<>();
        for (Row row : rows(Document.read(PAGE))) {
            missing(row, forms.getOrDefault(row.type() + "#" + row.method(), ""))
                    .forEach(problem -> problems.add(PAGE + ": " + row.type() + "#" + row.method() + ": " + problem));
        }
        Findings.expectNone(problems);
    }

    @Test
    void findsAFormThatIsMissing() {
        Row plain = new Row("JavaRDDLike", "count", "`RddActions#count`", "");
        assertEquals(List.of(), missing(plain, "0").toList());
        assertEquals(1, missing(plain, "0,3").count());
        assertEquals(
                0,
                missing(new Row("JavaRDDLike", "count", "`RddActions#count`", "another way"), "0,3")
                        .count());
    }

    /** The numbers of arguments that no method of Hearth takes, unless a remark names the replacement. */
    private static Stream<String> missing(Row row, String forms) {
        Matcher method = METHOD.matcher(row.ours());
        if (forms.isEmpty() || !row.remark().isBlank() || !method.matches()) {
            return Stream.empty();
        }
        Set<Integer> ours = find(method.group(1)).stream()
                .flatMap(found -> Stream.of(found.getMethods()))
                .filter(found -> found.getName().equals(method.group(2)))
                .map(Method::getParameterCount)
                .collect(Collectors.toSet());
        return Stream.of(forms.split(","))
                .filter(form -> !ours.contains(Integer.valueOf(form)))
                .map(form -> row.ours() + " of " + form + " arguments is not there (expected: one, or a remark)");
    }

    @Test
    void namesOurMethodsAsTheyAre() {
        Findings.expectNone(problems(Document.read(PAGE)));
    }

    @Test
    void namesAllOurMethods() {
        String page = Document.read(PAGE);
        Set<String> named = new TreeSet<>();
        METHOD.matcher(page).results().forEach(found -> named.add(found.group(2)));
        Findings.expectNone(INTERFACES.stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic())
                .filter(method -> !named.contains(method.getName()))
                .map(method -> PAGE + ": " + method.getDeclaringClass().getSimpleName() + "#" + method.getName()
                        + ": not named (expected: in a row, or among ours alone)")
                .distinct()
                .toList());
    }

    @Test
    void findsWhatIsWrong() {
        assertEquals(List.of(), problems("## A\n| `map` | `Rdd#map` |  |\n"));
        assertEquals(1, problems("## A\n| `map` | `Rdd#mapp` |  |\n").size());
        assertEquals(1, problems("## A\n| `map` | `Rddd` |  |\n").size());
        assertEquals(1, problems("## A\n| `map` | none |  |\n").size(), "a reason is missing");
        assertEquals(1, problems("## A\n| `map` | some day |  |\n").size());
        assertEquals(List.of(), problems("## A\n| `map` | comes with hadoop-fs |  |\n"));
    }

    private static List<String> problems(String page) {
        List<String> problems = new ArrayList<>();
        for (Row row : rows(page)) {
            problem(row)
                    .forEach(problem -> problems.add(PAGE + ": " + row.type() + "#" + row.method() + ": " + problem));
        }
        return problems;
    }

    private static Stream<String> problem(Row row) {
        Matcher method = METHOD.matcher(row.ours());
        Matcher type = TYPE.matcher(row.ours());
        if (method.matches()) {
            return has(method.group(1), method.group(2))
                    ? Stream.empty()
                    : Stream.of(row.ours() + " is not there (expected: a public method of ours)");
        }
        if (type.matches()) {
            return find(type.group(1)).isPresent()
                    ? Stream.empty()
                    : Stream.of(row.ours() + " is not there (expected: a public type of ours)");
        }
        if (row.ours().equals("none")) {
            return row.remark().isBlank() ? Stream.of("none without a remark (expected: the reason)") : Stream.empty();
        }
        return row.ours().equals("comes with hadoop-fs")
                ? Stream.empty()
                : Stream.of("'" + row.ours() + "' (expected: `Type#method`, `Type`, none, or comes with hadoop-fs)");
    }

    private static boolean has(String type, String method) {
        return find(type).stream()
                .flatMap(found -> Stream.<Member>concat(Stream.of(found.getMethods()), Stream.of(found.getFields())))
                .map(Member::getName)
                .anyMatch(method::equals);
    }

    private static Optional<Class<?>> find(String type) {
        return PACKAGES.stream()
                .flatMap(place -> load(place + type.replace('.', '$')).stream())
                .findFirst();
    }

    private static Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name));
        } catch (ClassNotFoundException elsewhere) { // or nowhere
            return Optional.empty();
        }
    }

    private static List<Row> rows(String page) {
        List<Row> rows = new ArrayList<>();
        String type = "";
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                type = line.substring(3);
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(type, row.group(1), row.group(2).strip(), row.group(3)));
            }
        }
        return rows;
    }

    private static Set<String> field() throws IOException {
        return lines().map(line -> line[0] + "#" + line[1]).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The numbers of arguments of the overloads of a method. */
    private static Map<String, String> forms() throws IOException {
        return lines().filter(line -> line.length > 2)
                .collect(Collectors.toMap(line -> line[0] + "#" + line[1], line -> line[2]));
    }

    private static Stream<String[]> lines() throws IOException {
        try (InputStream in = DatasetPageTest.class.getResourceAsStream("/spark/dataset-api.tsv")) {
            assertTrue(in != null, "field/dataset-api.tsv");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t"));
        }
    }
}
