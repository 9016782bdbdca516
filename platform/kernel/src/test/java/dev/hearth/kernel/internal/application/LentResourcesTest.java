package dev.hearth.kernel.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.application.PackageOffers.Offer;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources that a bundle lends, and packages that an application asks for by a setting. */
class LentResourcesTest {
    private static final String SERVICES = "META-INF/services/org.example.Codec";
    private static final Settings ASKING = Settings.empty()
            .with("--conf", "hearth.application.requires", "org.example.*")
            .with("--conf", "hearth.x", "7");

    @TempDir
    Path directory;

    private URLClassLoader bundle;
    private TestingLender lender;
    private Path made;

    @BeforeEach
    void makeTheBundle() throws IOException {
        Path classes = Files.createDirectories(directory.resolve("bundle"));
        for (String name : List.of("core-default.xml", "secret.xml", SERVICES, "own.xml")) {
            Path file = classes.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "bundle's " + name);
        }
        bundle = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null);
        lender = new TestingLender(bundle, "*-default.xml, *-site.xml, META-INF/services/org.example.*, own.xml");
        made = Files.writeString(directory.resolve("made"), "made");
    }

    @AfterEach
    void closeTheBundle() throws IOException {
        bundle.close();
    }

    @Test
    void areThoseThatTheHeaderListsAndNoOthers() throws Exception {
        try (ApplicationLoader loader = open(jar("app.jar", ""), ASKING)) {
            ClassLoader classes = loader.classes();
            assertEquals("bundle's core-default.xml", text(classes.getResource("core-default.xml")));
            assertEquals("bundle's " + SERVICES, text(classes.getResource(SERVICES)));
            assertNull(classes.getResource("secret.xml"));
            assertEquals(List.of("application one"), lender.holders);
        }
        assertEquals(List.of(), lender.holders);
    }

    @Test
    void comeAfterTheApplicationsOwn() throws Exception {
        try (ApplicationLoader loader = open(jar("app.jar", "", "own.xml", SERVICES), ASKING)) {
            assertEquals("application's own.xml", text(loader.classes().getResource("own.xml")));
            List<String> all = new ArrayList<>();
            for (URL url : Collections.list(loader.classes().getResources(SERVICES))) {
                all.add(text(url));
            }
            assertEquals(List.of("application's " + SERVICES, "bundle's " + SERVICES), all);
        }
    }

    @Test
    void areNotForApplicationsThatAskForNoPackage() throws Exception {
        try (ApplicationLoader loader = open(jar("app.jar", ""), Settings.empty())) {
            assertNull(loader.classes().getResource("core-default.xml"));
            assertEquals(List.of(), lender.asked);
        }
    }

    @Test
    void areForApplicationsThatAskInTheirManifest() throws Exception {
        try (ApplicationLoader loader = open(jar("app.jar", "org.example.api"), Settings.empty())) {
            assertEquals("bundle's core-default.xml", text(loader.classes().getResource("core-default.xml")));
        }
    }

    @Test
    void includeFilesMadeForTheApplicationFirst() throws Exception {
        lender.files = Map.of("core-site.xml", made, "core-default.xml", made);
        try (ApplicationLoader loader = open(jar("app.jar", ""), ASKING)) {
            assertEquals("made", text(loader.classes().getResource("core-site.xml")));
            assertEquals("made", text(loader.classes().getResource("core-default.xml")));
            assertEquals(
                    2,
                    Collections.list(loader.classes().getResources("core-default.xml"))
                            .size());
            assertEquals(List.of("one 7"), lender.asked);
        }
    }

    @Test
    void mustBeListedAlsoWhenTheyAreMade() throws Exception {
        lender.files = Map.of("hosts", made);
        String message = failure(jar("app.jar", ""), ASKING, "START_FAILED");
        assertEquals(
                "bundle lender 1.0.0 for application one: makes the file 'hosts' (expected: a name in"
                        + " Hearth-Application-Resources)",
                message);
        assertEquals(List.of(), lender.holders);
    }

    @Test
    void namesTheBundleWhoseHeaderIsInvalid() throws Exception {
        lender = new TestingLender(bundle, "a.xml,");
        String message = failure(jar("app.jar", ""), ASKING, "START_FAILED");
        assertTrue(
                message.startsWith("bundle lender 1.0.0 for application one: Hearth-Application-Resources: ''"),
                message);
    }

    @Test
    void saysWhichBundlesAndJarsOfferPackages() throws Exception {
        Settings asking =
                Settings.empty().with("--conf", "hearth.application.requires", "org.other.*, org.example.api");
        assertEquals(
                "hearth.application.requires of application one: imports the packages org.other.*, which no bundle of"
                        + " this process exports to applications (expected: one of [org.example.* of bundle lender"
                        + " 1.0.0]); [bundles/other-1.0.jar] would, but does not run in this process: name its role in"
                        + " the header Hearth-Role",
                failure(jar("app.jar", ""), asking, "CLASS_MISSING"));
        assertEquals(List.of(), lender.holders);
    }

    private String failure(Path jar, Settings settings, String code) {
        HearthException failure = assertThrows(HearthException.class, () -> open(jar, settings));
        assertEquals(code, failure.code());
        return failure.getMessage();
    }

    private ApplicationLoader open(Path jar, Settings settings) {
        PackageOffers offers = new PackageOffers() {
            @Override
            public List<Offer> offers(Collection<PackagePattern> wanted) {
                return List.of(new Offer(new PackagePattern("org.example", true), lender));
            }

            @Override
            public SortedSet<String> jarsOffering(PackagePattern wanted) {
                return new TreeSet<>(List.of("bundles/other-1.0.jar"));
            }
        };
        return new IsolatedApplications(
                        offers,
                        new NoBundleTransfer(),
                        new ApplicationEndCalls(List::of, ApplicationEndCalls.BOUND),
                        started -> {})
                .open("one", List.of(), List.of(jar), settings);
    }

    private Path jar(String name, String requires, String... resources) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!requires.isEmpty()) {
            manifest.getMainAttributes().putValue("Hearth-Requires", requires);
        }
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (String resource : resources) {
                out.putNextEntry(new ZipEntry(resource));
                out.write(("application's " + resource).getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static String text(URL url) throws IOException {
        try (var in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
