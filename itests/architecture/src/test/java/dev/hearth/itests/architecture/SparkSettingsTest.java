package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/migrating.md maps each of Spark's settings for shuffle, storage and memory to its effect in Hearth,
 * or gives a reason why it has none.
 */
class SparkSettingsTest {
    private static final String FAMILY = ".*";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`spark\\.[^|]*) \\|");
    private static final Pattern KEY = Pattern.compile("`(spark\\.[\\w.]+(?:\\.\\*)?)`");

    private static final Set<String> DECLARED = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
            .flatMap(List::stream)
            .map(key -> key.name().replaceFirst("^hearth\\.", "spark."))
            .collect(Collectors.toCollection(TreeSet::new));

    @Test
    void everySettingIsDeclaredOrExplained() throws IOException {
        List<String> explained = explained(Document.read("docs/migrating.md"));
        Findings.expectNone(problems(spark(), DECLARED, explained));
    }

    @Test
    void noSettingOfSparkIsTakenForAMisspeltOne() throws IOException {
        List<SettingKey<?>> keys = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
                .flatMap(List::stream)
                .<SettingKey<?>>map(key -> key)
                .toList();
        SettingsCatalog catalog = new SettingsCatalog(List.of(new AllSettings(keys)), List::of);
        Map<String, String> undeclared = spark().stream()
                .filter(key -> !DECLARED.contains(key))
                .collect(Collectors.toMap(key -> key, key -> "1"));
        assertEquals(List.of(), catalog.check(Settings.empty().with("test", undeclared)));
        assertEquals(
                1,
                catalog.check(Settings.empty().with("test", "spark.exector.memory", "2g"))
                        .size());
    }

    /** Settings of all modules. */
    private record AllSettings(List<SettingKey<?>> keys) implements SettingsGroup {
        @Override
        public String owner() {
            return "all";
        }
    }

    @Test
    void findsWhatIsNeitherAndWhatIsBoth() {
        assertEquals(
                List.of(
                        "spark.a.b: neither in docs/configuration.md nor among those without effect in docs/migrating.md"
                                + " (expected: one of them)",
                        "spark.c.d: declared, and among those without effect in docs/migrating.md (expected: one of them)",
                        "spark.none.*: in docs/migrating.md (expected: a setting of Spark)"),
                problems(
                        List.of("spark.a.b", "spark.c.d", "spark.e.f"),
                        Set.of("spark.c.d"),
                        List.of("spark.c.*", "spark.e.f", "spark.none.*")));
        assertEquals(List.of("spark.a", "spark.b.*"), explained("| `spark.a`, `spark.b.*` | no `spark.c` |\n"));
    }

    private static List<String> problems(List<String> spark, Set<String> declared, List<String> explained) {
        List<String> problems = new ArrayList<>();
        for (String key : spark) {
            boolean isExplained = explained.stream().anyMatch(entry -> covers(entry, key));
            if (declared.contains(key) == isExplained) {
                problems.add(key
                        + (isExplained
                                ? ": declared, and among those without effect in docs/migrating.md"
                                : ": neither in docs/configuration.md nor among those without effect in"
                                        + " docs/migrating.md")
                        + " (expected: one of them)");
            }
        }
        for (String entry : explained) {
            if (spark.stream().noneMatch(key -> covers(entry, key))) {
                problems.add(entry + ": in docs/migrating.md (expected: a setting of Spark)");
            }
        }
        return problems;
    }

    private static boolean covers(String entry, String key) {
        return entry.endsWith(FAMILY) ? key.startsWith(entry.substring(0, entry.length() - 1)) : key.equals(entry);
    }

    /** The first column of the table's rows. */
    private static List<String> explained(String page) {
        return ROW.matcher(page)
                .results()
                .flatMap(row -> KEY.matcher(row.group(1)).results())
                .map(key -> key.group(1))
                .toList();
    }

    private static List<String> spark() throws IOException {
        try (InputStream in = SparkSettingsTest.class.getResourceAsStream("/spark/settings.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
