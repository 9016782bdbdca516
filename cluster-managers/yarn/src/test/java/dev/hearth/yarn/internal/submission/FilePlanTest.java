package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of Spark's ClientSuite about what is distributed. */
class FilePlanTest {
    private static final String HASH = "ab".repeat(32);

    private final Map<Path, ContentId> hashes = new LinkedHashMap<>();
    private Map<String, String> settings = Map.of();
    private final SubmissionPlan.Builder plan = SubmissionPlan.builder("pi", "example.Pi");

    private void local(Kind kind, String path) {
        hashes.put(Path.of(path.replaceFirst("#.*", "")), new ContentId(HASH));
        plan.add(kind, path.contains("#") ? "file:" + path : path);
    }

    private FilePlan planned() {
        StagingSettings staging =
                StagingSettings.read(new SettingsReader(Settings.empty().with("test", settings)));
        return FilePlan.of(FilePlan.withOwn(plan.build(), staging), hashes, staging);
    }

    private static List<String> links(FilePlan plan) {
        return plan.files().stream().map(PlannedFile::link).toList();
    }

    @Test
    void namesJarsByTheirHashes() {
        local(Kind.APPLICATION_JAR, "/home/a/app.jar");
        FilePlan found = planned();
        assertEquals(List.of("app/" + HASH + "-app.jar"), links(found));
        assertEquals(
                FilePlan.DIRECTORY + "/app/" + HASH + "-app.jar",
                found.plan().applicationJar().orElseThrow().path().toString());
    }

    @Test
    void takesAJarThatIsNamedTwiceOnce() {
        local(Kind.JAR, "/home/a/app.jar");
        local(Kind.JAR, "/home/a/app.jar");
        assertEquals(1, planned().files().size());
    }

    @Test
    void givesFilesTheirNamesOrTheAliases() {
        local(Kind.FILE, "/home/a/one.txt");
        local(Kind.FILE, "/home/a/two.txt#second");
        FilePlan found = planned();
        assertEquals(List.of("one.txt", "second"), links(found));
        assertEquals("second", found.plan().resources(Kind.FILE).get(1).name());
    }

    @Test
    void unpacksArchivesAndKeepsThemPackedForTheDriverAlone() {
        local(Kind.ARCHIVE, "/home/a/data.zip#data");
        FilePlan found = planned();
        assertEquals(List.of("data", "packed/data.zip"), links(found));
        assertEquals(ContainerFile.Kind.ARCHIVE, found.files().get(0).kind());
        assertTrue(found.files().get(0).forExecutors());
        assertEquals(ContainerFile.Kind.FILE, found.files().get(1).kind());
        assertFalse(found.files().get(1).forExecutors());
    }

    @Test
    void refusesAFileTwiceInTheWordsOfSpark() {
        local(Kind.FILE, "/home/a/one.txt");
        local(Kind.FILE, "/home/a/one.txt");
        assertRefused("Attempt to add (file:///home/a/one.txt) multiple times to the distributed cache.");
    }

    @Test
    void refusesAnArchiveThatIsAFileToo() {
        local(Kind.FILE, "/home/a/one.zip");
        local(Kind.ARCHIVE, "/home/a/one.zip");
        assertRefused("Attempt to add (file:///home/a/one.zip) multiple times to the distributed cache.");
    }

    @Test
    void refusesTwoFilesOfOneName() {
        local(Kind.FILE, "/home/a/one.txt");
        local(Kind.FILE, "/home/b/one.txt");
        assertRefused("Attempt to add (file:///home/b/one.txt) multiple times to the distributed cache.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hearth",
                "classes",
                "app",
                "frozen",
                "sent",
                "tmp",
                "hearth.orders",
                "hadoop-conf",
                "packed",
                ".hidden"
            })
    void refusesNamesThatAreTaken(String name) {
        local(Kind.FILE, "/home/a/one.txt#" + name);
        assertTrue(
                assertThrows(HearthException.class, this::planned).getMessage().contains("the name " + name));
    }

    private void assertRefused(String words) {
        assertTrue(
                assertThrows(HearthException.class, this::planned).getMessage().contains(words));
    }

    @Test
    void leavesFilesOfTheNodesWhereTheyAre() {
        plan.add(Kind.JAR, "local:/opt/gateway/lib.jar");
        settings = Map.of(
                "hearth.yarn.config.gatewayPath", "/opt/gateway",
                "hearth.yarn.config.replacementPath", "/opt/node");
        FilePlan found = planned();
        assertEquals(List.of(), found.files());
        assertEquals(
                "local:/opt/node/lib.jar",
                found.plan().resources(Kind.JAR).get(0).toString());
    }

    @Test
    void addsWhatTheSettingsForYarnName() {
        settings = Map.of(
                "hearth.yarn.dist.files", "hdfs://nn/f.txt,hdfs://nn/g.txt#h",
                "hearth.yarn.dist.archives", "hdfs://nn/a.zip",
                "hearth.yarn.dist.jars", "hdfs://nn/j.jar");
        assertEquals(List.of("app/j.jar", "f.txt", "h", "a.zip", "packed/a.zip"), links(planned()));
    }

    @Test
    void mergesTheListsOfFlagsAndSettings() {
        local(Kind.FILE, "/home/a/one.txt");
        settings = Map.of("hearth.yarn.dist.files", "hdfs://nn/two.txt");
        assertEquals(List.of("one.txt", "two.txt"), links(planned()));
    }
}
