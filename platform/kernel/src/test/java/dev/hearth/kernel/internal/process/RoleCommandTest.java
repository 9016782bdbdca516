package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
