package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.SetsItsOwn;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that bin/submit starts on-demand bundles only when the command line or the application needs them. */
@Timeout(180)
class ReservesIT {
    private static final Pattern STARTED = Pattern.compile("on-demand bundles ([\\w-]+): needed");

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void stayWhereALocalApplicationNeedsNone() throws Exception {
        assertEquals(List.of(), started(List.of("--master", "local[2]"), List.of()));
    }

    @Test
    void loadNoClassOfAManagerThatIsNotAskedFor() throws Exception {
        Path loaded = scratch.resolve("loaded.txt");
        List<String> flags =
                List.of("--master", "local[2]", "--conf", "hearth.driver.defaultJavaOptions=" + log(loaded));
        assertEquals(List.of(), started(flags, List.of()));
        List<String> classes = Files.readAllLines(loaded);
        assertTrue(classes.stream().anyMatch(line -> line.contains(" dev.hearth.local.")), "the log lacks classes");
        assertEquals(
                List.of(),
                classes.stream()
                        .filter(line -> line.contains(" dev.hearth.kubernetes.") || line.contains(" io.fabric8."))
                        .toList());
    }

    @Test
    void startForAMasterOnKubernetes() throws Exception {
        List<String> flags = List.of(
                "--master",
                "k8s://https://127.0.0.1:1",
                "--conf",
                "hearth.driver.host=192.0.2.1",
                "--conf",
                "hearth.kubernetes.container.image=hearth:1",
                "--conf",
                "hearth.driver.bindAddress=127.0.0.1",
                "--conf",
                "hearth.driver.port=0");
        try (Launched launched = launch(flags, List.of())) {
            Eventually.until(
                    "it says that the API server is away",
                    () -> launched.errors().contains("127.0.0.1:1"),
                    Duration.ofMinutes(3),
                    launched::errors);
            assertEquals(List.of("hearth-kubernetes", "rpc"), reserves(launched.errors()));
        }
    }

    @Test
    void startForWhatTheApplicationItselfSets() throws Exception {
        Path logs = Files.createDirectories(scratch.resolve("its logs"));
        List<String> own = List.of("hearth.eventLog.enabled=true", "hearth.eventLog.dir=" + logs);
        assertEquals(List.of("hearth-event-log"), started(List.of("--master", "local[2]"), own));
        try (Stream<Path> files = Files.list(logs)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void startForThePortThatTheApplicationItselfSets() throws Exception {
        List<String> own = List.of("hearth.ui.enabled=true", "hearth.ui.port=" + FreePort.draw());
        assertEquals(List.of("hearth-status-api", "rpc"), started(List.of("--master", "local[2]"), own));
    }

    @Test
    void startForAMasterAndTheMessagesToIt() throws Exception {
        try (Launched launched = launch(List.of("--master", "hearth://127.0.0.1:1"), List.of())) {
            assertEquals(4, launched.status(), launched::errors);
            assertEquals(List.of("hearth-standalone", "rpc"), reserves(launched.errors()));
        }
    }

    /** The started groups of on-demand bundles, in order. */
    private static List<String> started(List<String> flags, List<String> own) throws Exception {
        try (Launched launched = launch(flags, own)) {
            assertEquals(0, launched.status(), launched::errors);
            assertTrue(launched.output().startsWith("count 3\n"), launched::output);
            if (own.stream().anyMatch(setting -> setting.startsWith("hearth.ui.port"))) {
                assertEquals("count 3\nanswer 200\n", launched.output());
            }
            return reserves(launched.errors());
        }
    }

    /** Option of Java that writes the names of loaded classes to a file. */
    private static String log(Path file) {
        return "-Xlog:class+load=info:file=" + file;
    }

    private static List<String> reserves(String errors) {
        return STARTED.matcher(errors).results().map(match -> match.group(1)).toList();
    }

    private static Launched launch(List<String> flags, List<String> own) throws Exception {
        List<String> arguments = new ArrayList<>(flags);
        arguments.addAll(List.of(
                "--driver-java-options",
                "-Dhearth.log.level=DEBUG",
                "--class",
                SetsItsOwn.class.getName(),
                installation.applications().toString()));
        arguments.addAll(own);
        return installation.submit(arguments.toArray(new String[0]));
    }
}
