package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.deploy.TestingBundle;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content of role files. */
class RolesTest {
    @TempDir
    private Path directory;

    @Test
    void namesTheBundlesOfThePlatformAndTheOptionsOfJava() throws IOException {
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr tell\njvm=-Xmx9m -Xms1m\n");
        Role tell = roles().read("tell");
        assertEquals(List.of("scr", "tell"), tell.bundles());
        assertEquals(List.of("-Xmx9m", "-Xms1m"), tell.jvmOptions());
        assertFalse(tell.deploy() || tell.ownArguments() || tell.orders());
    }

    @Test
    void saysThatAProcessStartsWithOrders() throws IOException {
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr\norders=true\n");
        assertTrue(roles().read("tell").orders());
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr\norders=yes\n");
        assertThrows(HearthException.class, () -> roles().read("tell"));
    }

    @Test
    void saysWhatStartsWhenItIsNeeded() throws IOException {
        Files.writeString(
                directory.resolve("tell.properties"),
                "bundles=scr\nreserve.far=net far\nreserve.far.when=hearth.far.* hearth.near master:far"
                        + " service:java.lang.Runnable\n");
        OnDemandBundleGroup far = roles().read("tell").reserves().get(0);
        assertEquals("far", far.name());
        assertEquals(List.of("net", "far"), far.bundles());
        assertTrue(far.isTriggeredBy(settings("hearth.far.port", "1")));
        assertTrue(far.isTriggeredBy(settings("hearth.near", "yes")));
        assertFalse(far.isTriggeredBy(settings("hearth.near", "False")), "what is off needs nothing");
        assertFalse(far.isTriggeredBy(settings("hearth.nearer", "yes")));
        assertFalse(far.isTriggeredBy(settings("hearth.far", "yes")));
        assertTrue(far.offersMaster("far") && far.offersMasters());
        assertFalse(far.offersMaster("hearth"));
        assertTrue(far.offersService(Runnable.class.getName()));
        assertFalse(far.offersService(Comparable.class.getName()));
    }

    @Test
    void refusesAReserveThatNothingNeeds() throws IOException {
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr\nreserve.far=net far\n");
        HearthException refused = assertThrows(HearthException.class, () -> roles().read("tell"));
        assertEquals(
                "role file " + directory.resolve("tell.properties")
                        + ": reserve.far: the group names no bundles, or no settings that load it (expected:"
                        + " reserve.far=<names> and reserve.far.when=<settings>)",
                refused.getMessage());
    }

    @Test
    void takesTheDefaultsForARoleThatABundleRuns() throws IOException {
        Files.writeString(directory.resolve("serve.properties"), "# Serves.\nbundles=scr\n");
        Files.writeString(directory.resolve("tell.properties"), "# Tells.\nbundles=scr tell\n");
        Files.writeString(directory.resolve("defaults"), "bundles=scr net\njvm=-Xmx9m\ndeploy=true\n");
        Files.writeString(directory.resolve("bundles.tsv"), "role:past\thearth-past\n");
        assertEquals(
                "role: 'past' (expected: one of [serve, tell]); put hearth-past into bundles/ or deploy/",
                assertThrows(HearthException.class, () -> roles().read("past")).getMessage());
        Files.createDirectories(directory.resolve("deploy"));
        new TestingBundle("past", "1.0")
                .with("Hearth-Role", "serve,past;main=true;help=\"Shows what ended.\"")
                .write(Files.createDirectories(directory.resolve("bundles")).resolve("past.jar"));
        new TestingBundle("tell", "1.0")
                .with("Hearth-Role", "tell;main=true")
                .write(directory.resolve("deploy").resolve("tell.jar"));
        Role past = roles().read("past");
        assertEquals("past", past.name());
        assertEquals(List.of("scr", "net"), past.bundles());
        assertTrue(past.deploy());
        assertEquals(List.of("scr", "tell"), roles().read("tell").bundles());
        assertEquals(Map.of("past", "Shows what ended.", "serve", "Serves.", "tell", "Tells."), roles().available());
        Files.delete(directory.resolve("deploy").resolve("tell.jar"));
        assertEquals(Map.of("past", "Shows what ended.", "serve", "Serves."), roles().available());
        assertEquals(List.of("scr", "tell"), roles().read("tell").bundles(), "its start says what is missing");
    }

    private Roles roles() {
        return new Roles(
                directory,
                directory.resolve("defaults"),
                List.of(directory.resolve("bundles"), directory.resolve("deploy")),
                new BundleHints(directory));
    }

    private static Settings settings(String key, String value) {
        return Settings.empty().with("test", key, value);
    }
}
