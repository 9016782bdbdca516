package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts processes whose temporary directory has little space or none, and fills that of a running one. */
@Timeout(120)
class FullTemporaryDirectoryIT {
    private static final int DISK_BYTES = 2 << 20;
    private static final int BLOCK_BYTES = 4096;
    private static final Duration WAIT = Duration.ofMinutes(3);
    private static final String FULL = ": No space left on device (expected: room for ";

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8, 14, 16, 18})
    void aStartWithoutSpaceNamesTheDirectory(int blocksLeft) throws Exception {
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES)) {
            Files.write(disk.directory().resolve("filler"), new byte[DISK_BYTES - blocksLeft * BLOCK_BYTES]);
            try (Launched submit = launch(disk, "bin/run-example", "--master", "local[2]", "Pi", "2")) {
                int status = submit.status();
                if (status != 0) {
                    assertEquals(7, status, submit::errors);
                    String line = submit.errors().lines().reduce("", (first, last) -> last);
                    assertTrue(
                            line.startsWith("error: temporary directory " + disk.directory() + FULL), submit::errors);
                }
                assertTrue(status != 0 || blocksLeft > 1, submit::output);
            }
        }
    }

    @Test
    void aJarThatCannotBeCopiedIsNotBlamed() throws Exception {
        Path deploy = installation.home().resolve("deploy");
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES);
                Launched serve = launch(disk, "bin/hearth", "serve")) {
            await(serve, "serving ", serve::output);
            disk.fill();
            Path jar = scratch.resolve("copied.jar");
            HostileJars.bundle(jar, "copied");
            ExternalPlugin.drop(jar, deploy);
            await(serve, "copied.jar: temporary directory " + disk.directory() + FULL, serve::errors);
            Files.delete(disk.directory().resolve("filler"));
            Files.delete(deploy.resolve("copied.jar"));
            ExternalPlugin.drop(jar, deploy);
            await(serve, "copied 1.0.0 (copied.jar) runs", serve::errors);
        }
    }

    private static void await(Launched process, String text, Supplier<String> found) {
        Eventually.until(
                "'" + text + "' of process " + process.pid(), () -> found.get().contains(text), WAIT, found);
    }

    private static Launched launch(SmallDisk temporary, String script, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(installation.home().resolve(script).toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment =
                Map.of("HEARTH_JAVA_OPTS", "-XX:-UsePerfData -Djava.io.tmpdir=" + temporary.directory());
        return Launched.start(scratch, environment, command);
    }
}
