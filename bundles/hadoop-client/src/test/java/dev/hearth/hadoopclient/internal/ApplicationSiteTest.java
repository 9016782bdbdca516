package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that {@code new Configuration()} in an application finds. */
class ApplicationSiteTest {
    @TempDir
    Path directory;

    private ApplicationSite site() {
        EmbeddedHadoop hadoop = new EmbeddedHadoop(
                Settings.empty(), new HadoopEnvironment(Map.of(), directory), Optional.empty(), () -> false);
        return new ApplicationSite(hadoop, directory.resolve("made"));
    }

    @Test
    void settingsFollowTheSiteFileAndAreFinal() throws Exception {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Files.writeString(
                conf.resolve("core-site.xml"),
                "<configuration><property><name>a</name><value>1</value></property>"
                        + "<property><name>b</name><value>1</value></property></configuration>");
        Files.writeString(conf.resolve("other.xml"), "<x/>");
        Settings settings = Settings.empty().with("--conf", Map.of("hearth.hadoop.b", "<2&>", "hearth.other", "x"));
        Map<String, Path> files = site().files("app", settings);
        assertEquals(Set.of("core-site.xml"), files.keySet());
        Configuration read = new Configuration(false);
        read.addResource(files.get("core-site.xml").toUri().toURL());
        assertEquals("1", read.get("a"));
        assertEquals("<2&>", read.get("b"));
        assertEquals(Set.of("b"), read.getFinalParameters());
        assertEquals(files, site().files("again", settings));
    }

    @Test
    void thereIsNoFileWithoutSettingsAndSites() {
        assertEquals(Map.of(), site().files("app", Settings.empty()));
    }

    @Test
    void aDamagedSiteFileIsNamed() throws Exception {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Files.writeString(conf.resolve("core-site.xml"), "<configuration>");
        ApplicationSite site = new ApplicationSite(
                new TestingRuntime(Map.of("core-site.xml", conf.resolve("core-site.xml"))), directory);
        Settings settings = Settings.empty().with("--conf", "hearth.hadoop.b", "2");
        HearthException failure = assertThrows(HearthException.class, () -> site.files("app", settings));
        assertEquals("DISK_FAILED", failure.code());
    }
}
