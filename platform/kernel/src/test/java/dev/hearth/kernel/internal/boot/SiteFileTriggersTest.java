package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFileTriggersTest {
    @TempDir
    Path directory;

    @Test
    void applyIfTheVariableNamesADirectoryWithTheFile() throws Exception {
        Path site = Files.createDirectory(directory.resolve("site"));
        Path own = Files.createDirectory(directory.resolve("own"));
        SiteFileTriggers files = new SiteFileTriggers(
                Map.of("X_CONF_DIR", site.toString(), "EMPTY", " ", "ODD", "a\0b", "HEARTH_CONF_DIR", "/elsewhere"),
                own);
        assertFalse(files.apply("X_CONF_DIR/x.xml"));
        Files.writeString(site.resolve("x.xml"), "<configuration/>");
        assertTrue(files.apply("X_CONF_DIR/x.xml"));
        for (String none : List.of("Y_CONF_DIR/x.xml", "EMPTY/x.xml", "ODD/x.xml", "X_CONF_DIR", "/x.xml")) {
            assertFalse(files.apply(none), none);
        }
        assertFalse(files.apply("HEARTH_CONF_DIR/x.xml"));
        Files.writeString(own.resolve("x.xml"), "<configuration/>");
        assertTrue(files.apply("HEARTH_CONF_DIR/x.xml"));
        OnDemandBundleGroup group =
                new OnDemandBundleGroup("g", List.of(), List.of("scheme:x", "paths:X_CONF_DIR/x.xml"));
        assertTrue(group.servesPaths(files::apply));
        assertEquals(List.of(), group.triggering(Settings.empty()));
        assertFalse(new OnDemandBundleGroup("h", List.of(), List.of("scheme:x")).servesPaths(files::apply));
    }
}
