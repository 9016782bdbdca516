package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.role.RoleOption;
import dev.hearth.spi.role.RoleOptionTable;
import dev.hearth.spi.role.RoleUsage;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsSources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks that lib/roles.tsv is what the bundles declare, that it describes every role and script, and that the manual
 * pages are made from it.
 */
class RoleTableTest {
    private static final boolean WRITE = Boolean.getBoolean("hearth.docs.write");
    private static final Path DISTRIBUTION = Repository.ROOT.resolve("distribution/src/main");
    private static final Path LAYOUT = DISTRIBUTION.resolve("layout");
    private static final Path MERGED = LAYOUT.resolve("lib/roles.tsv");
    private static final Path MANUALS = LAYOUT.resolve("man/man1");
    private static final String DECLARED = "src/main/resources/" + RoleOptionTable.FILE;
    private static final List<String> GROUPS = List.of("platform", "bundles", "cluster-managers", "shells");
    private static final String ADVICE = "; run mvn -pl itests/architecture test -Dhearth.docs.write=true";

    /** Writes the table and the manual pages, if pages are to be written. */
    @BeforeAll
    static void write() throws IOException {
        if (!WRITE) {
            return;
        }
        Files.writeString(MERGED, merged());
        try (Stream<Path> files = Files.list(MANUALS)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        for (Map.Entry<String, String> page :
                new ManualPages(table(), flags()).pages().entrySet()) {
            Files.writeString(MANUALS.resolve(page.getKey()), page.getValue());
        }
    }

    @Test
    void theTableOfTheDistributionIsWhatTheBundlesDeclare() throws IOException {
        assertEquals(merged(), Files.readString(MERGED), MERGED + ": not what the bundles declare" + ADVICE);
    }

    @Test
    void theManualPagesAreMadeFromTheTables() throws IOException {
        Map<String, String> pages = new ManualPages(table(), flags()).pages();
        assertEquals(pages.keySet(), names(MANUALS, ""));
        for (Map.Entry<String, String> page : pages.entrySet()) {
            assertEquals(page.getValue(), Files.readString(MANUALS.resolve(page.getKey())), page.getKey() + ADVICE);
        }
    }

    @Test
    void everyRoleAndEveryScriptIsDescribed() throws IOException {
        RoleOptionTable table = table();
        Set<String> described = new TreeSet<>();
        for (String name : table.names()) {
            table.usage(name).ifPresent(usage -> described.add(usage.kind() + " " + name));
        }
        Set<String> there = new TreeSet<>(Set.of("COMMAND archive", "COMMAND version", "COMMAND help"));
        names(LAYOUT.resolve("roles"), ".properties").forEach(role -> there.add("ROLE " + role));
        names(LAYOUT.resolve("sbin"), "").forEach(script -> there.add("SCRIPT " + script));
        there.addAll(List.of("SCRIPT hearth", "SCRIPT run-example", "SCRIPT spark-class", "SCRIPT spark-submit"));
        Set<String> missing = new TreeSet<>(there);
        missing.removeAll(described);
        assertEquals(Set.of(), missing);
        described.removeIf(entry -> !entry.startsWith("SCRIPT ")); // a bundle may run a role without a file
        there.removeIf(entry -> !entry.startsWith("SCRIPT "));
        assertEquals(there, described);
    }

    @Test
    void roleFilesBeginWithTheSummaryOfTheRole() throws IOException {
        RoleOptionTable table = table();
        for (String role : names(LAYOUT.resolve("roles"), ".properties")) {
            String first = Files.readAllLines(LAYOUT.resolve("roles").resolve(role + ".properties"))
                    .get(0);
            assertEquals("# " + table.usage(role).orElseThrow().summary(), first, role);
        }
    }

    @Test
    void optionsAndVariablesSetDeclaredSettingsAndAgree() throws IOException {
        Set<String> declared = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
                .flatMap(List::stream)
                .map(SettingKey::name)
                .collect(Collectors.toSet());
        RoleOptionTable table = table();
        for (String name : table.names()) {
            Set<String> seen = new HashSet<>();
            for (RoleOption option : table.options(name)) {
                assertTrue(option.setting().isEmpty() || declared.contains(option.setting()), option::toString);
                assertTrue(seen.add(option.name()), () -> name + ": twice " + option.name());
                assertTrue(option.alias().isEmpty() || seen.add(option.alias()), () -> name + ": " + option.alias());
            }
            for (RoleUsage.Variable variable :
                    table.usage(name).map(RoleUsage::variables).orElse(List.of())) {
                String key = SettingsSources.variables().get(variable.name());
                String ofSpark = SettingsSources.variables().get(variable.alias());
                assertTrue(
                        key == null || variable.alias().isEmpty() || key.equals(ofSpark), () -> name + ": " + variable);
            }
        }
    }

    private static RoleOptionTable table() throws IOException {
        try (InputStream in = Files.newInputStream(MERGED)) {
            return RoleOptionTable.read("lib/roles.tsv", in);
        }
    }

    private static SubmissionRuleTable flags() throws IOException {
        try (InputStream in = Files.newInputStream(LAYOUT.resolve("lib/flags.tsv"))) {
            return SubmissionRuleTable.read("lib/flags.tsv", in);
        }
    }

    private static Set<String> names(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(suffix))
                    .map(name -> name.substring(0, name.length() - suffix.length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The lines of all bundles and of the scripts, without comments but one. */
    private static String merged() throws IOException {
        StringBuilder text = new StringBuilder("# Generated from the files " + RoleOptionTable.FILE
                + " of the bundles, and from distribution/src/main/tables. Read by scripts.\n");
        for (String group : GROUPS) {
            try (Stream<Path> modules = Files.list(Repository.ROOT.resolve(group))) {
                for (Path module : modules.sorted().toList()) {
                    append(module.resolve(DECLARED), text);
                }
            }
        }
        append(DISTRIBUTION.resolve("tables/scripts.tsv"), text);
        return text.toString();
    }

    private static void append(Path file, StringBuilder text) throws IOException {
        if (Files.exists(file)) {
            Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> text.append(line).append('\n'));
        }
    }
}
