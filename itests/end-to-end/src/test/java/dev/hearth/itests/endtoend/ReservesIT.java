package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.SetsItsOwn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
