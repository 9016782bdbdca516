package dev.hearth.engine.internal.driver.racks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Racks from a script and from a table, and the settings that name them. */
class RackResolversTest {
    @TempDir
    Path directory;

    private Path script(String body) throws IOException {
        Path file = directory.resolve("racks.sh");
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static Map<String, String> racks(Settings settings, String... hosts) throws Exception {
        return RackSettings.from(settings)
                .resolver(Optional::empty)
                .get()
                .orElseThrow()
                .racks(List.of(hosts));
    }

    private static Settings settings(String... pairs) {
        Settings settings = Settings.empty();
        for (int at = 0; at < pairs.length; at += 2) {
            settings = settings.with("test", pairs[at], pairs[at + 1]);
        }
        return settings;
    }

    @Test
    void comeFromAScript() throws Exception {
        Path script = script("for host in \"$@\"; do echo /rack-of-$host; done");
        assertEquals(
                Map.of("a.example", "/rack-of-a.example", "10.0.0.1", "/rack-of-10.0.0.1"),
                racks(
                        settings("spark.net.topology.script.file.name", script.toString()),
                        "a.example",
                        "--help",
                        "10.0.0.1",
                        "b; rm"));
    }

    @Test
    void comeFromAScriptThatIsNamedAsForHadoopInCallsOfBoundedSize() throws Exception {
        Path calls = directory.resolve("calls");
        Path script = script("echo $# >> " + calls + "; for host in \"$@\"; do echo /r; done");
        String[] hosts = IntStream.range(0, 250).mapToObj(host -> "h" + host).toArray(String[]::new);
        Settings hadoop = settings("spark.hadoop.net.topology.script.file.name", script.toString());
        assertEquals(250, racks(hadoop, hosts).size());
        assertEquals(List.of("100", "100", "50"), Files.readAllLines(calls));
        Files.delete(calls);
        assertEquals(
                250,
                racks(hadoop.with("test", "spark.hadoop.net.topology.script.number.args", "200"), hosts)
                        .size());
        assertEquals(List.of("200", "50"), Files.readAllLines(calls));
    }

    @Test
    void sayWhyAScriptFails() throws Exception {
        Map<String, String> failures = Map.of(
                "echo no network >&2; exit 3", "exit status 3, no network (expected: 0)",
                "echo one", "1 racks for 2 hosts (expected: one for each)");
        for (Map.Entry<String, String> failure : failures.entrySet()) {
            RackResolver resolver = new ScriptRackResolver(script(failure.getKey()), 100);
            String message = assertThrows(IOException.class, () -> resolver.racks(List.of("a", "b")))
                    .getMessage();
            assertTrue(message.endsWith(failure.getValue()), message);
        }
        RackResolver missing = new ScriptRackResolver(directory.resolve("missing"), 100);
        assertThrows(IOException.class, () -> missing.racks(List.of("a")));
    }

    @Test
    void comeFromATable() throws Exception {
        Path table = directory.resolve("racks.tsv");
        Files.writeString(table, "# hosts\n\na\t/r1\n b   /r2 \nc /r3\n");
        assertEquals(
                Map.of("a", "/r1", "b", "/r2"),
                racks(settings("hearth.net.topology.table.file.name", table.toString()), "a", "b", "x"));
        Files.writeString(table, "a /r1\nb\n");
        IOException failure = assertThrows(IOException.class, () -> new TableRackResolver(table).racks(List.of("a")));
        assertEquals("table " + table + ", line 2: 1 columns (expected: a host and its rack)", failure.getMessage());
    }

    @Test
    void comeFromABundleOnlyWithoutSettings() {
        RackResolver bundle = hosts -> Map.of();
        assertEquals(
                Optional.of(bundle),
                RackSettings.from(Settings.empty())
                        .resolver(() -> Optional.of(bundle))
                        .get());
        Settings both = settings(
                "hearth.net.topology.script.file.name", "/s",
                "hearth.net.topology.table.file.name", "/t");
        assertInstanceOf(
                ScriptRackResolver.class,
                RackSettings.from(both)
                        .resolver(() -> Optional.of(bundle))
                        .get()
                        .orElseThrow());
        assertThrows(
                HearthException.class,
                () -> RackSettings.from(settings("hearth.net.topology.script.number.args", "0")));
    }
}
