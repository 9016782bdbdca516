package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.settings.SettingKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the list of the flags of submissions equals what the bundles declare, and that people can read of each. */
class FlagTableTest {
    private static final boolean WRITE = Boolean.getBoolean("hearth.docs.write");
    private static final Path MERGED = Repository.ROOT.resolve("distribution/src/main/layout/lib/flags.tsv");
    private static final Path MERGED_WITH_HADOOP =
            Repository.ROOT.resolve("distribution/src/main/with-hadoop/lib/flags.tsv");
    /** Module whose rules only the distribution with Hadoop has; there they replace those of the module submission. */
    private static final String YARN = "yarn";

    private static final String DECLARED = "src/main/resources/" + SubmissionRuleTable.FILE;
    private static final List<String> GROUPS = List.of("bundles", "cluster-managers");

    @Test
    void theListOfTheDistributionIsWhatTheBundlesDeclare() throws IOException {
        compare(MERGED, merged(false));
        compare(MERGED_WITH_HADOOP, merged(true));
    }

    private static void compare(Path list, String expected) throws IOException {
        if (WRITE) {
            Files.writeString(list, expected);
        }
        assertEquals(
                expected,
                Files.readString(list),
                list + ": not what the bundles declare; run mvn -pl itests/architecture test -Dhearth.docs.write=true");
    }

    @Test
    void theFlagsOfAllBundlesAgree() throws IOException {
        SubmissionRuleTable table = table(MERGED_WITH_HADOOP);
        assertEquals(table, table.checked("lib/flags.tsv"));
        SubmissionRuleTable lean = table(MERGED);
        assertEquals(lean, lean.checked("lib/flags.tsv"));
        assertTrue(
                table.schemes().containsAll(Set.of("*", "hearth", "local", "local-cluster")),
                table.schemes()::toString);
    }

    @Test
    void everyFlagSetsASettingThatIsDeclared() throws IOException {
        Set<String> declared = ConfigurationPages.ofEveryModule().keysByOwner().values().stream()
                .flatMap(List::stream)
                .map(SettingKey::name)
                .collect(Collectors.toSet());
        SubmissionRuleTable table = table(MERGED_WITH_HADOOP);
        for (String scheme : table.schemes()) {
            for (FlagRule flag : table.rules(scheme).flags()) {
                assertTrue(flag.setting().isEmpty() || declared.contains(flag.setting()), flag::toString);
            }
            String waits = table.rules(scheme).waitSetting();
            assertTrue(waits.isEmpty() || declared.contains(waits), waits);
        }
    }

    private static SubmissionRuleTable table(Path list) throws IOException {
        try (InputStream in = Files.newInputStream(list)) {
            return SubmissionRuleTable.read("lib/flags.tsv", in);
        }
    }

    /** The lines of all bundles, those for all clusters first, without comments but one. */
    private static String merged(boolean withHadoop) throws IOException {
        StringBuilder text = new StringBuilder("# Generated from the files " + SubmissionRuleTable.FILE
                + " of the bundles. Read by front ends and scripts.\n");
        for (String group : GROUPS) {
            try (Stream<Path> modules = Files.list(Repository.ROOT.resolve(group))) {
                for (Path module : modules.sorted().toList()) {
                    Path file = module.resolve(DECLARED);
                    boolean isOfYarn = module.endsWith(YARN);
                    if (Files.exists(file) && (withHadoop || !isOfYarn)) {
                        Files.readAllLines(file).stream()
                                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                                .filter(line -> !withHadoop || isOfYarn || !line.startsWith(YARN + "\t"))
                                .forEach(line -> text.append(line).append('\n'));
                    }
                }
            }
        }
        return text.toString();
    }
}
