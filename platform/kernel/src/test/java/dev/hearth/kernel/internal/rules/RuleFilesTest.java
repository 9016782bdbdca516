package dev.hearth.kernel.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads rules from the merged file and from jars. */
class RuleFilesTest {
    private static final String NAME = "*\t--name\t-\tNAME\thearth.app.name\tclient\ttext\tlast\tname\n";
    private static final String QUEUE = "yarn\t--queue\t-\tNAME\thearth.yarn.queue\tclient\ttext\tlast\tqueue\n";

    @TempDir
    Path home = Path.of("");

    private final List<String> warnings = new ArrayList<>();
    private RuleFiles files = new RuleFiles(home, home, home, warnings::add);

    @BeforeEach
    void createHome() throws IOException {
        files = new RuleFiles(directory("lib"), directory("bundles"), directory("deploy"), warnings::add);
        Files.writeString(files.lib().resolve(RuleFiles.MERGED), "# merged\n" + NAME + QUEUE);
    }

    @Test
    void readsTheMergedFileAndJarsThatWereDropped() throws IOException {
        jar(files.deploy().resolve("k8s.jar"), QUEUE.replace("yarn", "k8s").replace("queue", "namespace"));
        jar(files.deploy().resolve("other.jar"), "");
        SubmissionRuleTable rules = files.rules();
        assertEquals(Set.of("*", "k8s", "yarn"), rules.schemes());
        assertEquals(Set.of("k8s"), rules.schemesOf("--namespace"));
    }

    @Test
    void opensJarsOfTheInstallationOnlyForAllRules() throws IOException {
        jar(files.bundles().resolve("example.jar"), QUEUE.replace("yarn", "example"));
        assertEquals(Set.of("*", "yarn"), files.rules().schemes());
        assertEquals(Set.of("*", "example", "yarn"), files.allRules().schemes());
    }

    @Test
    void prefersADroppedVersionOfABundle() throws IOException {
        jar(files.deploy().resolve("yarn.jar"), QUEUE.replace("queue", "pool"));
        assertEquals(Set.of(), files.rules().schemesOf("--queue"));
        assertEquals(Set.of("yarn"), files.rules().schemesOf("--pool"));
    }

    @Test
    void leavesOutWhatIsMalformed() throws IOException {
        jar(files.deploy().resolve("a.jar"), "example\t--queue\t-\t-\t-\tclient\tswitch\tlast\tclashes with yarn's\n");
        jar(files.deploy().resolve("b.jar"), "nonsense\n");
        Files.writeString(files.deploy().resolve("c.jar"), "no jar");
        jar(files.deploy().resolve("d.jar"), QUEUE.replace("yarn", "k8s"));
        assertEquals(Set.of("*", "k8s", "yarn"), files.rules().schemes());
        assertEquals(3, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).contains("a.jar: left out: OSGI-INF/hearth/flags.tsv: flag --queue: two rules"));
    }

    @Test
    void getsAlongWithoutAnyFile() {
        RuleFiles none = new RuleFiles(home.resolve("a"), home.resolve("b"), home.resolve("c"), warnings::add);
        assertTrue(none.allRules().schemes().isEmpty());
        assertEquals(List.of(), warnings);
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(home.resolve(name));
    }

    private static void jar(Path jar, String rules) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : List.of("a.txt", SubmissionRuleTable.FILE)) {
                if (!rules.isEmpty()) {
                    zip.putNextEntry(new ZipEntry(name));
                    zip.write(rules.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }
}
