package dev.hearth.spi.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that go along with a submission, and the plans that name them. */
class UploadSelectionTest {
    private static final ContentId CONTENT = new ContentId("0f".repeat(32));
    private static final String HASH = CONTENT.sha256();

    @TempDir
    private Path scratch;

    private final List<String> warnings = new ArrayList<>();
    private Path jar;
    private Path words;
    private Path one;

    @BeforeEach
    void write() throws IOException {
        jar = Files.writeString(scratch.resolve("a:b, c.jar"), "jar");
        words = Files.writeString(scratch.resolve("words.txt"), "words");
        one = Files.writeString(Files.createDirectory(scratch.resolve("lib")).resolve("1.jar"), "one");
        Files.writeString(scratch.resolve("lib/readme"), "no jar");
    }

    @Test
    void namesFilesByTheirContentFromTheSubmitterToTheDriver() {
        SubmissionPlan plan = plan();
        UploadSelection selection = select(plan, Map.of());
        assertEquals(Set.of(jar, words, one), selection.files());
        SubmissionPlan sent = selection.sent(plan, addresses(selection.files()));
        List<String> texts =
                sent.resources().stream().map(SubmissionResource::text).toList();
        assertEquals(
                List.of(
                        "APPLICATION_JAR content:/" + HASH + "/3/a%3Ab%2C%20c.jar",
                        "JAR local:/opt/x.jar",
                        "JAR file:///none/y.jar",
                        "FILE content:/" + HASH + "/3/words.txt#in",
                        "CLASS_PATH content:/" + HASH + "/3/1.jar"),
                texts);
        assertEquals(
                "content:/" + HASH + "/3/1.jar:conf",
                sent.settings().find("hearth.driver.extraClassPath").orElse(""));

        SubmissionPlan read = DriverOrders.plan(DriverOrders.of(new SubmissionId("driver-1"), sent), Settings.empty());
        assertEquals(sent.resources(), read.resources());
        assertEquals(3, UploadSelection.contents(read.resources()).size());
        SubmissionPlan placed = UploadSelection.placed(read, content -> Path.of("/jobs", content.name()));
        assertEquals(
                "APPLICATION_JAR file:///jobs/a:b,%20c.jar",
                placed.resources().get(0).text());
        assertEquals(Optional.of("in"), placed.resources().get(3).alias());
        assertEquals(
                "/jobs/1.jar:conf",
                placed.settings().find("hearth.driver.extraClassPath").orElse(""));
    }

    @Test
    void leavesOutWhatAllMachinesShare() throws IOException {
        Path directory = Files.createDirectory(scratch.resolve("classes"));
        SubmissionPlan plan =
                plan().but().add(Kind.CLASS_PATH, directory.toString()).build();
        assertEquals(
                Set.of(jar, words),
                select(plan, Map.of("hearth.submit.sharedDirs", scratch + "/x/../lib,/mnt"))
                        .files());
        assertTrue(warnings.get(0).contains("a directory (expected: a file) is not sent"), warnings::toString);
        assertEquals(
                Set.of(), select(plan, Map.of("hearth.submit.upload", "never")).files());
    }

    @Test
    void sendsEverythingOrFailsIfAskedTo() {
        Map<String, String> always =
                Map.of("hearth.submit.upload", "ALWAYS", "hearth.submit.sharedDirs", scratch.toString());
        HearthException missing = assertThrows(HearthException.class, () -> select(plan(), always));
        assertEquals(
                "'file:///none/y.jar': no such file (expected: a file of this machine, as hearth.submit.upload is"
                        + " always); give it the scheme local: if all machines of the cluster have it",
                missing.getMessage());
        assertThrows(HearthException.class, () -> select(plan(), Map.of("hearth.submit.sharedDirs", "relative")));
    }

    @Test
    void readsAddressesThatPeopleWriteAndRefusesOthers() {
        SubmissionResource shortForm = SubmissionResource.of(Kind.JAR, "content:" + HASH + "/7/a.jar#b");
        assertEquals("content:/" + HASH + "/7/a.jar#b", shortForm.toString());
        assertEquals(Optional.of(new ContentAddress(CONTENT, 7, "a.jar")), ContentAddress.find(shortForm.address()));
        assertEquals(Optional.empty(), ContentAddress.find(URI.create("file:/a.jar")));
        for (String bad : List.of(
                "content:/abc/7/a.jar",
                "content:/" + HASH + "/a.jar",
                "content:/" + HASH + "/-1/a",
                "content://h/" + HASH + "/1/a",
                "content:/" + HASH + "/1/a/b",
                "content:/" + HASH + "/1/..")) {
            HearthException refused =
                    assertThrows(HearthException.class, () -> ContentAddress.find(URI.create(bad)), bad);
            assertEquals("BAD_ARGUMENT", refused.code());
        }
    }

    private SubmissionPlan plan() {
        return SubmissionPlan.builder("d", "x.D")
                .add(Kind.APPLICATION_JAR, jar.toString())
                .add(Kind.JAR, "local:/opt/x.jar")
                .add(Kind.JAR, "/none/y.jar")
                .add(Kind.FILE, words.toUri() + "#in")
                .add(Kind.CLASS_PATH, scratch + "/lib/*")
                .settings(Settings.empty().with("test", "hearth.driver.extraClassPath", scratch + "/lib/*:conf"))
                .build();
    }

    private UploadSelection select(SubmissionPlan plan, Map<String, String> settings) {
        return UploadSelection.of(plan, UploadSettings.from(Settings.empty().with("test", settings)), warnings::add);
    }

    private static Map<Path, ContentAddress> addresses(Set<Path> files) {
        Map<Path, ContentAddress> addresses = new LinkedHashMap<>();
        new LinkedHashSet<>(files)
                .forEach(file -> addresses.put(
                        file, new ContentAddress(CONTENT, 3, file.getFileName().toString())));
        return addresses;
    }
}
