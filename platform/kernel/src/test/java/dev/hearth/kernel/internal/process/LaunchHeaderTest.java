package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchHeaderTest {
    private static final List<String> COMMAND =
            List.of("/usr/bin/java", "-Dstore.password=x=y", "-Dspark.Access.Key=z", "Main");

    @Test
    void showsTheCommandWithoutSecretsOnRequest() {
        String words = "\"/usr/bin/java\" \"-Dstore.password=*********(redacted)\""
                + " \"-Dspark.Access.Key=*********(redacted)\" \"Main\"\n" + "=".repeat(40) + "\n\n";
        assertEquals(
                Optional.of("Launch Command: " + words),
                LaunchHeader.requested(Map.of("SPARK_PRINT_LAUNCH_COMMAND", "1"), "driver", COMMAND));
        assertEquals(
                Optional.of("Spark Executor Command: " + words),
                LaunchHeader.requested(Map.of("HEARTH_PRINT_LAUNCH_COMMAND", "1"), "executor", COMMAND));
        assertEquals(
                Optional.empty(), LaunchHeader.requested(Map.of("HEARTH_PRINT_LAUNCH_COMMAND", ""), "driver", COMMAND));
    }
}
