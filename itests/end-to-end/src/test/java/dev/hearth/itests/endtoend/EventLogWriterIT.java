package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs an application with an event log by bin/submit: OSGi wires the event log's library when it is first used. */
@Timeout(120)
class EventLogWriterIT {
    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void isWrittenByAnApplicationThatWantsIt() throws Exception {
        Path logs = Files.createDirectories(scratch.resolve("events"));
        try (Launched ran = pi(logs)) {
            assertEquals(0, ran.status(), ran::errors);
            assertEquals("", ran.errors());
        }
        try (Stream<Path> files = Files.list(logs)) {
            List<Path> found = files.toList();
            assertEquals(1, found.size(), found::toString);
            List<String> lines = Files.readAllLines(found.get(0));
            assertTrue(lines.get(0).startsWith("{\"event\":\"LogStarted\""), lines.get(0));
            assertTrue(lines.get(1).startsWith("{\"event\":\"ApplicationStarted\""), lines.get(1));
            assertEquals(
                    4,
                    lines.stream()
                            .filter(line -> line.contains("\"TaskEnded\""))
                            .count());
            String last = lines.get(lines.size() - 1);
            assertTrue(last.startsWith("{\"event\":\"ApplicationEnded\""), last);
        }
    }

    @Test
    void refusesAnApplicationWhoseDirectoryIsMissing() throws Exception {
        try (Launched ran = pi(scratch.resolve("missing"))) {
            assertEquals(3, ran.status(), ran::errors);
            assertTrue(ran.errors().contains("hearth.eventLog.dir: "), ran::errors);
        }
    }

    private static Launched pi(Path logs) throws Exception {
        return installation.submit(
                "--master",
                "local[2]",
                "--conf",
                "hearth.eventLog.enabled=true",
                "--conf",
                "hearth.eventLog.dir=" + logs,
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "4");
    }
}
