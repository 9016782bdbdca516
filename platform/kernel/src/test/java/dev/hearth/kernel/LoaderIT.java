package dev.hearth.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.leftovers.LeakyApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Class loading, isolation and clean-up of an application, in a kernel process of its own. */
@Timeout(120)
class LoaderIT {
    @TempDir
    static Path directory;

    static TestingHome home;
    static Path untidy;

    @BeforeAll
    static void makeHome() throws IOException {
        home = new TestingHome(directory.resolve("home"));
        home.bundle(
                "lender",
                "",
                "",
                "dev.hearth.leftovers",
                TestingHome.classes(LeakyApplication.class),
                Map.of("Hearth-Application-Api", "dev.hearth.leftovers, dev.hearth.other.*"));
        home.role("probe", "bundles=probe lender");
        untidy = jar("untidy.jar", "");
    }

    @Test
    void collectsTheLoaderOfAnApplicationThatLeftThreadsAndThreadLocalsBehind() throws Exception {
        Ended ended = run("application", untidy.toString(), LeakyApplication.class.getName());
        assertEquals("application ended\nloader collected true\n", ended.output, ended.errors);
        assertTrue(
                ended.errors.contains("application untidy: ended while its threads [HttpClient-1-SelectorManager,"
                        + " left-sleeper, left-stranger] still ran"),
                ended.errors);
        assertTrue(ended.errors.contains("left the management beans [untidy:type=Left]; removed"), ended.errors);
        assertTrue(ended.errors.contains("left the database drivers [dev.hearth.leftovers.LeftDriver]"), ended.errors);
        assertFalse(ended.errors.contains("after they were interrupted"), ended.errors);
    }

    @Test
    void namesTheThreadsThatKeepTheLoader() throws Exception {
        Ended ended = run("application", untidy.toString(), LeakyApplication.class.getName(), "deaf");
        assertEquals("application ended\nloader collected false\n", ended.output, ended.errors);
        assertTrue(
                ended.errors.contains("application untidy: threads [left-deaf, left-pool, left-timer] still run 500"),
                ended.errors);
    }

    @Test
    void lendsPackagesOfABundleToTheApplicationsThatAskForThem() throws Exception {
        String name = LeakyApplication.class.getName();
        Path asking = jar("asking.jar", "dev.hearth.leftovers;version=1");
        assertEquals("own\njar\n", run("lent", untidy.toString(), name).output);
        assertEquals("lent\nbundle\n", run("lent", asking.toString(), name).output);
    }

    @Test
    void refusesAnApplicationThatAsksForPackagesNobodyOffers() throws Exception {
        Path asking = jar("asking too much.jar", "dev.hearth.leftovers.*");
        Process process = home.start(List.of(), "probe", "lent", asking.toString(), "X");
        String errors = TestingHome.text(process.getErrorStream());
        assertEquals(101, process.waitFor());
        assertTrue(
                errors.contains(
                        "imports the packages dev.hearth.leftovers.*, which no bundle of this process exports"
                                + " to applications (expected: one of [dev.hearth.leftovers of bundle lender 1.0.0, dev.hearth.other.* of bundle lender 1.0.0])"),
                errors);
    }

    private static Path jar(String name, String requires) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!requires.isEmpty()) {
            manifest.getMainAttributes().putValue("Hearth-Requires", requires);
        }
        Path jar = directory.resolve(name);
        TestingHome.writeJar(Files.newOutputStream(jar), manifest, TestingHome.classes(LeakyApplication.class));
        return jar;
    }

    private static Ended run(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("probe"));
        all.addAll(List.of(arguments));
        Process process = home.start(List.of("-Dhearth.log.level=INFO"), all.toArray(new String[0]));
        process.getOutputStream().close();
        String output = TestingHome.text(process.getInputStream());
        String errors = TestingHome.text(process.getErrorStream());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still alive");
        assertEquals(0, process.exitValue(), errors);
        return new Ended(output, errors);
    }

    private record Ended(String output, String errors) {}
}
