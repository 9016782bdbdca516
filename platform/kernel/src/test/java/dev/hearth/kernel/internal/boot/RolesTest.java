package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content of role files. */
class RolesTest {
    @TempDir
    private Path directory;

    @Test
    void namesTheBundlesOfThePlatformAndTheOptionsOfJava() throws IOException {
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr tell\njvm=-Xmx9m -Xms1m\n");
        Role tell = new Roles(directory).read("tell");
        assertEquals(List.of("scr", "tell"), tell.bundles());
        assertEquals(List.of("-Xmx9m", "-Xms1m"), tell.jvmOptions());
        assertFalse(tell.deploy() || tell.ownArguments() || tell.orders());
    }

    @Test
    void saysThatAProcessStartsWithOrders() throws IOException {
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr\norders=true\n");
        assertTrue(new Roles(directory).read("tell").orders());
        Files.writeString(directory.resolve("tell.properties"), "bundles=scr\norders=yes\n");
        assertThrows(HearthException.class, () -> new Roles(directory).read("tell"));
    }

    @Test
    void saysWhatStartsWhenItIsNeeded() throws IOException {
        Files.writeString(
                directory.resolve("tell.properties"),
                "bundles=scr\nreserve.far=net far\nreserve.far.when=hearth.far.* hearth.near master:far"
                        + " service:java.lang.Runnable\n");
        OnDemandBundleGroup far = new Roles(directory).read("tell").reserves().get(0);
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
        HearthException refused = assertThrows(HearthException.class, () -> new Roles(directory).read("tell"));
        assertEquals(
                "role file " + directory.resolve("tell.properties")
                        + ": reserve.far: the group names no bundles, or no settings that load it (expected:"
                        + " reserve.far=<names> and reserve.far.when=<settings>)",
                refused.getMessage());
    }

    private static Settings settings(String key, String value) {
        return Settings.empty().with("test", key, value);
    }
}
