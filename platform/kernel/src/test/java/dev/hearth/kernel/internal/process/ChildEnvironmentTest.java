package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables that children inherit, and those that are withheld from them. */
class ChildEnvironmentTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void passesOnWhatHoldsNoSecret() throws IOException {
        Map<String, String> passed = new TreeMap<>(Map.of(
                "PATH", "/bin",
                "HOME", "/root",
                "LC_ALL", "C.UTF-8",
                "TEAM_COLOUR", "blue",
                "STORE_PASSWORD", "of the user's own store",
                "HEARTH_HOME", "/opt/hearth",
                "HEARTH_CONF_DIR", "/etc/hearth",
                "HEARTH_EXECUTOR_MEMORY", "2g",
                "SHORT", "abc"));
        Map<String, String> own = new TreeMap<>(passed);
        own.putAll(Map.of(
                "HEARTH_AUTHENTICATE_SECRET", "the-secret",
                "_SPARK_AUTH_SECRET", "",
                "COPY", "x the-secret y",
                "HEARTH_JAVA_OPTS", "-Dx=y",
                "HEARTH_ANYTHING", "1",
                "HEARTH_CHILD", "outer",
                "WORD", "the-token",
                "OTHER", "the-order",
                "OF_THE_APPLICATION", "x"));
        assertEquals(passed, new ChildEnvironment(own, settings(own)).of(spec()));
    }

    @Test
    void addsWhatTheApplicationGives() {
        ChildSpec spec = spec().with(new LaunchOptions(List.of(), "/opt/a:/opt/b", Map.of("COLOUR", "blue")));
        assertEquals(
                Map.of("COLOUR", "blue", "LD_LIBRARY_PATH", "/opt/a:/opt/b"), ChildEnvironment.given(spec, Map.of()));
        assertEquals(
                Map.of("COLOUR", "blue", "LD_LIBRARY_PATH", "/opt/a:/opt/b:/usr/x"),
                ChildEnvironment.given(spec, Map.of("LD_LIBRARY_PATH", "/usr/x", "PATH", "/bin")));
        assertEquals(Map.of(), ChildEnvironment.given(spec(), Map.of("LD_LIBRARY_PATH", "/usr/x")));
    }

    private Settings settings(Map<String, String> environment) throws IOException {
        Files.writeString(
                directory.resolve("f"),
                "hearth.rest.token ${env:WORD}\nhearth.x.password abc\nhearth.y ${env:SHORT}\n");
        return new SettingsSources(directory, environment)
                .environment()
                .propertiesFile("f")
                .over(Settings.empty());
    }

    private static ChildSpec spec() {
        return new ChildSpec("executor", List.of(), Map.of("hearth.z.secret", "the-order"), Path.of("w"))
                .withholding(Set.of("OF_THE_APPLICATION"));
    }
}
