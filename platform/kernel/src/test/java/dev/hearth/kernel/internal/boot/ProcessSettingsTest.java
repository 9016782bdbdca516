package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of a process, and the arguments left for its role. */
class ProcessSettingsTest {
    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(home.resolve("conf"));
        Files.createDirectories(home.resolve("roles"));
        Files.writeString(home.resolve("conf/hearth-defaults.conf"), "hearth.a defaults\nhearth.b defaults\nother 1\n");
        Files.writeString(home.resolve("my.conf"), "hearth.b file\nhearth.c ${hearth.a} of ${env:TEAM}\n");
        Files.writeString(home.resolve("roles/plain.properties"), "bundles=x\n");
        Files.writeString(home.resolve("roles/own.properties"), "bundles=x\narguments=own\n");
        Files.writeString(home.resolve("roles/wrong.properties"), "bundles=x\narguments=mine\n");
    }

    @Test
    void takesSettingsOutOfTheArguments() {
        ProcessSettings read = read(
                "plain",
                "x",
                "--conf",
                "hearth.a=conf",
                "--properties-file=my.conf",
                "--port",
                "1",
                "--conf=hearth.d=d");
        assertEquals(List.of("x", "--port", "1"), read.arguments());
        assertEquals(
                "{hearth.a=conf, hearth.b=file, hearth.c=conf of blue, hearth.d=d, hearth.master=m}",
                read.settings().values().toString());
        assertEquals(Optional.of("my.conf line 1"), read.settings().origin("hearth.b"));
        assertEquals(
                List.of("setting other: ignored (expected: a key that begins with hearth.);"
                        + " from conf/hearth-defaults.conf line 3"),
                read.warnings());
    }

    @Test
    void leavesAllArgumentsToARoleThatReadsThemAlone() {
        ProcessSettings read = read("own", "--conf", "hearth.a=conf");
        assertEquals(List.of("--conf", "hearth.a=conf"), read.arguments());
        assertEquals(Optional.of("defaults"), read.settings().find("hearth.a"));
        assertEquals(
                Optional.of("conf/hearth-defaults.conf line 1"), read.settings().origin("hearth.a"));
    }

    @Test
    void refusesAnOptionWithoutItsValueAndARoleFileThatIsWrong() {
        refuses("--conf: no value (expected: --conf VALUE)", "plain", "x", "--conf");
        refuses("--conf: 'x' (expected: key=value", "plain", "--conf", "x");
        refuses("role file ", "wrong");
    }

    @Test
    void ranksPropertiesOfJavaAndDefaultsOfSparkBelowThoseOfTheInstallation() throws IOException {
        Path file = Files.writeString(
                home.resolve("spark-defaults.conf"), "spark.master file\nspark.b file\nspark.c file\n");
        Files.writeString(home.resolve("conf/hearth-defaults.conf"), "hearth.c ours\n");
        properties.setProperty("hearth.conf.sparkDefaults", file.toString());
        properties.setProperty("spark.a", "property");
        properties.setProperty("spark.b", "property");
        properties.setProperty("hearth.other", "no setting");
        Settings read = read("own").settings();
        assertEquals(
                Map.of("hearth.a", "property", "hearth.b", "file", "hearth.c", "ours", "hearth.master", "file"),
                read.values());
        assertEquals(Optional.of("-D"), read.origin("hearth.a"));
        assertEquals(Optional.of(file + " line 2"), read.origin("hearth.b"));
    }

    private void refuses(String start, String role, String... arguments) {
        HearthException failure = assertThrows(HearthException.class, () -> read(role, arguments));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(start), failure::getMessage);
    }

    private final Properties properties = new Properties();

    private ProcessSettings read(String role, String... arguments) {
        Home installation = new Home(home);
        return ProcessSettings.read(
                installation,
                installation.roles().read(role),
                List.of(arguments),
                home,
                Map.of("TEAM", "blue", "HEARTH_MASTER", "m"),
                properties);
    }
}
