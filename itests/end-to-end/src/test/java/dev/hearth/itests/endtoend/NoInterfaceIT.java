package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts a master where the loopback interface is the only one: no hardware address is missed. Runs only with
 * {@code -Pnet}, because it needs root and Linux.
 */
@Timeout(120)
@EnabledIfSystemProperty(named = "hearth.net", matches = "true")
class NoInterfaceIT {
    private static final String ALONE = "ip link set lo up && exec \"$0\" \"$@\"";

    @TempDir
    Path scratch;

    @Test
    void startsWithoutAWarning() throws Exception {
        Installation installation = Installation.in(scratch);
        List<String> command = new ArrayList<>(List.of("unshare", "--net", "sh", "-c", ALONE));
        command.addAll(installation.daemonCommand(List.of("master", "--port", "0")));
        Launched.Ready ready = Launched.startDaemon(scratch, command);
        try (Launched master = ready.process()) {
            assertEquals(List.of(), warnings(master), master::errors);
        }
    }

    private static List<String> warnings(Launched process) {
        return process.errors()
                .lines()
                .filter(line -> line.contains("WARN") || line.contains("warning"))
                .toList();
    }
}
