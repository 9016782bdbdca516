package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of roles for machines other than this one. */
class RoleCommandTest {
    @Test
    void namesNothingOfThisMachine() {
        ChildProcesses launcher =
                new ChildProcesses(Path.of("/opt/here"), role -> List.of("-Xof=" + role, "-Xshare:auto"), Map.of());
        assertEquals(
                List.of(
                        "java",
                        "-XX:+DisplayVMOutputToStderr",
                        "-Xlog:disable",
                        "-Xlog:all=warning:stderr",
                        "-Dfile.encoding=UTF-8",
                        "-Xof=executor",
                        "-Xshare:auto",
                        "-Xmx1g",
                        "-Dhearth.orders=/etc/orders",
                        "-Dhearth.home=hearth",
                        "-cp",
                        "hearth/lib/*",
                        "dev.hearth.kernel.Main",
                        "executor"),
                launcher.command("executor", List.of("-Xmx1g", "-Dhearth.orders=/etc/orders"), "hearth"));
        assertEquals(
                "/opt/x/lib/*", launcher.command("driver", List.of(), "/opt/x/").get(9));
    }

    @Test
    void namesAnArchiveOfClassesAndTheJarsInItsOrder(@TempDir Path home) throws IOException {
        Files.createDirectory(home.resolve("lib"));
        for (String name : List.of("b.jar", "a.jar", "c.tsv")) {
            Files.createFile(home.resolve("lib").resolve(name));
        }
        ChildProcesses launcher = new ChildProcesses(home, role -> List.of("-Xof=" + role), Map.of());
        assertEquals(
                List.of(
                        "-XX:SharedArchiveFile=classes/x.jsa",
                        "-Xlog:cds*=off:stderr",
                        "-Xlog:class+path=off:stderr",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:ArchiveRelocationMode=0",
                        "-Xof=am",
                        "-Xmx1g",
                        "-Dhearth.home=hearth",
                        "-cp",
                        "hearth/lib/a.jar:hearth/lib/b.jar",
                        "dev.hearth.kernel.Main",
                        "am"),
                launcher.command("am", List.of("-Xmx1g"), "hearth", "classes/x.jsa")
                        .subList(5, 17));
    }
}
