package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.settings.SettingKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that the reference of all settings equals the declarations in the code. */
class ConfigurationPageTest {
    private static final boolean WRITE = Boolean.getBoolean("hearth.docs.write");
    private static final String PAGE = "docs/configuration.md";
    private static final String LIST = "distribution/src/main/layout/lib/settings.tsv";
    private static final Pattern NAME = Pattern.compile("\"(hearth(?:\\.[a-zA-Z][\\w-]*)+)\"");
    /** Meaning of 0 in a description. */
    private static final Pattern ZERO = Pattern.compile("(^|[;:,.(] |\\bwith )0(:| [a-z])");
    /**
     * Names, or prefixes of names, of service properties, JVM properties, shell variables and instructions to
     * processes.
     */
    private static final List<String> NO_SETTINGS = List.of(
            "hearth.role",
            "hearth.cluster-manager.scheme",
            "hearth.credential-sink.kind",
            "hearth.file-store.home",
            "hearth.file-store.scheme",
            "hearth.colours",
            "hearth.conf.sparkDefaults",
            "hearth.disks.required",
            "hearth.home",
            "hearth.http-gate",
            "hearth.http-handler",
            "hearth.lifeline",
            "hearth.archivesClasses",
            "hearth.prestarted",
            "hearth.log.roleLevel",
            "hearth.log.roleFile",
            "hearth.bundles.sent",
            "hearth.childMark",
            "hearth.orders", // with the next two: launch orders of processes without a parent
            "hearth.orders.environment",
            "hearth.orders-source.name",
            "hearth.simulation.seed",
            "hearth.simulation.seeds",
            "hearth.command.topic",
            "hearth.stderr.terminal",
            "hearth.stdin.terminal",
            "hearth.stdout.columns",
            "hearth.submission",
            "hearth.submit.style",
            "hearth.zsh.required",
            "hearth.executor.id",
            "hearth.app.id", // with the next one: shown to programs by the driver
            "hearth.app.startTime",
            "hearth.executor.host",
            "hearth.executor.address",
            "hearth.executor.contents",
            "hearth.executor.ownCores",
            "hearth.executor.shuffleService",
            "hearth.executor.driver",
            "hearth.io.encryption.secret", // set by each driver for its executors
            "hearth.callSite", // this and the next: of the jobs of one thread
            "hearth.job",
            "hearth.jobGroup",
            "hearth.scheduler.pool");

    private static final ConfigurationPages DECLARED = ConfigurationPages.ofEveryModule();

    /** Pages that are made from the tables of roles and flags are written along with this one. */
    @BeforeAll
    static void writeManualPages() throws IOException {
        RoleTableTest.write();
    }

    @Test
    void thePageIsWhatTheCodeDeclares() throws IOException {
        compare(PAGE, DECLARED.page());
    }

    @Test
    void theListOfTheDistributionIsWhatTheCodeDeclares() throws IOException {
        compare(LIST, DECLARED.list());
    }

    @Test
    void everySettingIsDeclaredOnceInWords() {
        Map<String, String> owners = new HashMap<>();
        List<String> problems = new ArrayList<>();
        DECLARED.keysByOwner().forEach((owner, keys) -> {
            for (SettingKey<?> key : keys) {
                String other = owners.put(key.name(), owner);
                if (other != null) {
                    problems.add(key + ": declared by " + other + " and " + owner + " (expected: one of them)");
                }
                if (!key.description().matches("(?s)[A-Z].*\\.")) {
                    problems.add(key + ": '" + key.description() + "' (expected: a sentence)");
                }
                if (key.defaultText().contains("\t")) {
                    problems.add(key + ": a tab in its default (expected: none, as the list parts columns by it)");
                }
            }
        });
        Findings.expectNone(problems);
    }

    @Test
    void everySettingTakesTheValuesThatItDescribes() {
        List<String> problems = new ArrayList<>();
        DECLARED.keysByOwner()
                .values()
                .forEach(keys -> keys.forEach(key -> {
                    if (ZERO.matcher(key.description()).find() && key.parse("0").isEmpty()) {
                        problems.add(
                                key + ": refuses 0 (expected: taken, as it is described: " + key.description() + ")");
                    }
                    if (key.rule().matches(".*\\bfrom 0(m|s)\\b.*")
                            && key.parse("0").isEmpty()) {
                        problems.add(key + ": refuses 0 (expected: taken, as its rule says: " + key.rule() + ")");
                    }
                    if (!key.defaultText().isEmpty()
                            && key.parse(key.defaultText()).isEmpty()) {
                        problems.add(key + ": refuses " + key.defaultText() + " (expected: taken, as its default)");
                    }
                }));
        Findings.expectNone(problems);
        assertTrue(ZERO.matcher("A bound; 0 sets no bound.").find(), "the pattern finds such a description");
    }

    @Test
    void everyNameLikeASettingIsDeclaredOrNoSetting() {
        Set<String> declared = new TreeSet<>();
        DECLARED.keysByOwner().values().forEach(keys -> keys.forEach(key -> declared.add(key.name())));
        List<String> problems = new ArrayList<>();
        for (Path file : Repository.javaFiles()) {
            if (Repository.name(file).contains("/src/main/java/")) {
                for (String name : undeclared(Repository.text(file), declared)) {
                    problems.add(Repository.name(file) + ": " + name
                            + " (expected: declared as a SettingKey of a SettingsGroup, or listed here as no setting)");
                }
            }
        }
        Findings.expectNone(problems);
    }

    @Test
    void findsASettingThatNobodyDeclares() {
        Set<String> declared = Set.of("hearth.known.key");
        assertEquals(
                List.of("hearth.unknown.key"),
                undeclared("f(\"hearth.known.key\"); g(\"hearth.unknown.key\"); h(\"hearth.role\");", declared));
    }

    private static List<String> undeclared(String source, Set<String> declared) {
        return NAME.matcher(source)
                .results()
                .map(found -> found.group(1))
                .filter(name -> declared.stream().noneMatch(key -> (key + ".").startsWith(name + "."))
                        && NO_SETTINGS.stream().noneMatch(other -> name.equals(other) || name.startsWith(other + ".")))
                .toList();
    }

    private static void compare(String name, String expected) throws IOException {
        Path file = Repository.ROOT.resolve(name);
        if (WRITE) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        String found = Files.isRegularFile(file) ? Files.readString(file) : "";
        assertEquals(
                expected,
                found,
                name + ": not what the code declares; run mvn -pl itests/architecture test -Dhearth.docs.write=true");
    }
}
