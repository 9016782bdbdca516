package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.deploy.TestingBundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles of a process: those that its role file names, and those whose manifests name the role. */
class BundleFilesTest {
    private static final OnDemandBundleGroup RPC =
            new OnDemandBundleGroup("rpc", List.of("net"), List.of("service:java.lang.Runnable"));
    private static final Role SUBMIT = new Role("submit", List.of("scr"), List.of(RPC), List.of(), false, false, false);

    @TempDir
    private Path bundles;

    @BeforeEach
    void installThePlatform() throws IOException {
        bundle("scr-2.2.jar", "scr", "");
        bundle("net-4.2.Final.jar", "net", "other;whn=invalid");
    }

    @Test
    void addsTheBundlesThatNameTheRole() throws IOException {
        bundle("app-1.0.jar", "app", "serve,submit;needs=\"lib\"");
        bundle("elsewhere-1.0.jar", "elsewhere", "master");
        bundle("lib-1.0.jar", "lib", "");
        bundle("noversion.jar", "app.two", "submit;needs=\"lib\"");
        assertEquals(List.of("scr-2.2.jar", "lib-1.0.jar", "app-1.0.jar", "noversion.jar"), jars());
        assertEquals(Map.of("rpc", List.of("net-4.2.Final.jar")), reserved());
        Files.delete(bundles.resolve("app-1.0.jar"));
        Files.delete(bundles.resolve("noversion.jar"));
        assertEquals(List.of("scr-2.2.jar"), jars());
    }

    @Test
    void reservesTheBundlesThatStartOnDemand() throws IOException {
        bundle("lib-1.0.jar", "lib", "");
        bundle("far-1.0.jar", "far.manager;singleton:=true", "submit;when=\"master:far hearth.far.*\";needs=lib");
        assertEquals(List.of("scr-2.2.jar"), jars());
        assertEquals(
                Map.of("rpc", List.of("net-4.2.Final.jar"), "far.manager", List.of("lib-1.0.jar", "far-1.0.jar")),
                reserved());
        OnDemandBundleGroup far = files().reserves().get(1).group();
        assertTrue(far.offersMaster("far"));
        assertFalse(far.offersEndpointsOnly());
    }

    @Test
    void reservesTheBundlesOfAnEndpointForOtherProcesses() throws IOException {
        bundle("talk-1.0.jar", "talk", "submit;when=\"endpoint:talk\"");
        assertEquals(List.of("scr-2.2.jar"), jars());
        OnDemandBundleGroup talk = files().reserves().get(1).group();
        assertTrue(talk.offersEndpoint("talk") && talk.offersEndpointsOnly());
        assertFalse(talk.offersEndpoint("shell"));
        assertFalse(RPC.offersEndpointsOnly());
    }

    @Test
    void startsForAnArgumentAndElseOnDemandOrNotAtAll() throws IOException {
        bundle("both-1.0.jar", "both", "submit;argument=\"list\";when=\"master:far\"");
        bundle("asked-1.0.jar", "asked", "submit;argument=\"--to\"");
        assertEquals(List.of("scr-2.2.jar"), jars("to", "-list"));
        assertEquals(List.of("both", "rpc"), List.copyOf(reserved().keySet()));
        assertEquals(List.of("scr-2.2.jar", "asked-1.0.jar", "both-1.0.jar"), jars("--to", "x", "list --all"));
        assertEquals(
                1, BundleFiles.of(SUBMIT, List.of("list"), bundles).reserves().size());
    }

    @Test
    void readsAManifestAtAnyPlaceInTheJar() throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(bundles.resolve("late-1.0.jar")))) {
            for (String entry : List.of("a", "b", "META-INF/MANIFEST.MF")) {
                jar.putNextEntry(new ZipEntry(entry));
                jar.write("Manifest-Version: 1.0\nBundle-SymbolicName: late\nHearth-Role: submit\n"
                        .getBytes(StandardCharsets.UTF_8));
                jar.closeEntry();
            }
        }
        assertEquals(List.of("scr-2.2.jar", "late-1.0.jar"), jars());
    }

    @Test
    void leavesOutWhatItCannotRead() throws IOException {
        Files.writeString(bundles.resolve("torn-1.0.jar"), "no jar");
        bundle("wrong-1.0.jar", "wrong", "submit;whn=\"x\"");
        bundle("app-1.0.jar", "app", "submit");
        assertEquals(List.of("scr-2.2.jar", "app-1.0.jar"), jars());
    }

    @Test
    void namesAllThatIsMissingOrThereTwice() throws IOException {
        bundle("app-1.0.jar", "app", "submit;needs=\"lib other\"");
        bundle("app-copy.jar", "app", "submit");
        bundle("lib-1.jar", "lib", "");
        bundle("lib-2.jar", "lib", "");
        HearthException refused = assertThrows(HearthException.class, this::files);
        assertEquals(
                "bundle app of role submit: [" + bundles.resolve("app-1.0.jar") + ", " + bundles.resolve("app-copy.jar")
                        + "] (expected: one jar); remove the other\n"
                        + "  bundle lib, which app needs: [lib-1.jar, lib-2.jar] (expected: one lib-<version>.jar in "
                        + bundles
                        + ")\n  bundle other, which app needs: missing (expected: one other-<version>.jar in " + bundles
                        + ")",
                refused.getMessage());
    }

    @Test
    void reportsMissingJarsOfBundlesOnDemandOnlyWhenTheyAreNeeded() throws IOException {
        Files.delete(bundles.resolve("net-4.2.Final.jar"));
        bundle("far-1.0.jar", "far.manager", "submit;when=\"master:far\";needs=lib");
        assertEquals(List.of("scr-2.2.jar"), jars());
        List<List<String>> problems =
                files().reserves().stream().map(BundleFiles.Reserve::problems).toList();
        assertEquals(
                List.of(
                        List.of("bundle net of role submit: missing (expected: one net-<version>.jar in " + bundles
                                + ")"),
                        List.of("bundle lib, which far.manager needs: missing (expected: one lib-<version>.jar in "
                                + bundles + ")")),
                problems);
    }

    @Test
    void prefersBundlesThatWereSentToTheProcess() throws IOException {
        Path sent = Files.createDirectories(bundles.resolve("sent"));
        bundle("app-1.0.jar", "app", "submit;needs=\"lib\"");
        bundle("lib-1.0.jar", "lib", "");
        bundle("lib-more-1.0.jar", "lib-more", "submit");
        for (String file : List.of("lib-2.0.jar", "scr-3.0.jar", "new-1.0.jar")) {
            bundle(file, file.substring(0, 3), file.startsWith("new") ? "submit" : "");
            Files.move(bundles.resolve(file), sent.resolve(file));
        }
        assertEquals(
                List.of("scr-3.0.jar", "lib-2.0.jar", "app-1.0.jar", "lib-more-1.0.jar", "new-1.0.jar"),
                names(BundleFiles.of(SUBMIT, List.of(), bundles, Optional.of(sent))
                        .jars()));
        assertEquals(List.of("scr-2.2.jar", "lib-1.0.jar", "app-1.0.jar", "lib-more-1.0.jar"), jars());
    }

    private BundleFiles files() {
        return BundleFiles.of(SUBMIT, List.of(), bundles);
    }

    private List<String> jars(String... arguments) {
        return names(BundleFiles.of(SUBMIT, List.of(arguments), bundles).jars());
    }

    private Map<String, List<String>> reserved() {
        Map<String, List<String>> reserved = new TreeMap<>();
        files().reserves().forEach(reserve -> reserved.put(reserve.group().name(), names(reserve.jars())));
        return reserved;
    }

    private static List<String> names(List<Path> jars) {
        return jars.stream().map(jar -> jar.getFileName().toString()).toList();
    }

    private void bundle(String file, String name, String roles) throws IOException {
        TestingBundle bundle = new TestingBundle(name, "1.0");
        (roles.isEmpty() ? bundle : bundle.with(RoleClause.HEADER, roles)).write(bundles.resolve(file));
    }
}
