package dev.hearth.yarn.internal.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.yarn.internal.cluster.ContainerLogs.LoggedApplication;
import dev.hearth.yarn.internal.cluster.ContainerLogs.Place;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Logs of drivers and executors: at their nodes, after the end of the application, and when they are nowhere. */
class OpenLogTest {
    private static final String ID = "application_1_0001";
    private static final String FIRST = "container_1_0001_01_000001";
    private static final String SECOND = "container_1_0001_01_000002";
    private static final String LATER = "container_e3_1_0001_02_000001";
    private static final LogSource DRIVER = LogSource.ofDriver(new SubmissionId(ID));
    private static final LogSource EXECUTOR = LogSource.ofExecutor(new ApplicationId(ID), new ExecutorId("7"));

    private final ScriptedLogs logs = new ScriptedLogs();

    private OpenLog open(LogSource source, OptionalInt attempt) throws IOException {
        return OpenLog.of(new LogSearch(logs, ID, source, attempt), "stdout");
    }

    private static String text(LogChunk chunk) {
        return new String(chunk.chunk().bytes().toArray(), UTF_8);
    }

    private static OutputRange from(OutputPosition position) {
        return OutputRange.from(OutputName.STDOUT, position);
    }

    private void run() {
        logs.places.add(new Place(FIRST, "http://a:1"));
        logs.places.add(new Place(SECOND, "http://b:1"));
        logs.texts.put(FIRST + "/stdout", "driver");
        logs.texts.put(SECOND + "/executor-7", "");
        logs.texts.put(SECOND + "/stdout", "one\n");
    }

    private void end(String collection) {
        logs.places.clear();
        logs.application = Optional.of(new LoggedApplication("ann", 1, true, collection, ""));
    }

    private String refusal(LogSource source) {
        HearthException refused = assertThrows(HearthException.class, () -> open(source, OptionalInt.empty()));
        assertEquals("LOG_UNKNOWN", refused.code());
        return String.valueOf(refused.getMessage());
    }

    @Test
    void readsAtTheNodeAndGoesOnAmongTheCollectedLogs() throws IOException {
        run();
        OpenLog log = open(EXECUTOR, OptionalInt.empty());
        LogChunk first = log.read(from(OutputPosition.START));
        assertEquals("one\n", text(first));
        assertTrue(first.chunk().atEnd());
        assertFalse(first.hasEnded());
        logs.texts.put(SECOND + "/stdout", "one\ntwo\n");
        LogChunk second = log.read(from(first.chunk().to()));
        assertEquals("two\n", text(second));
        logs.texts.put(SECOND + "/stdout", "one\ntwo\nthree\n");
        end("SUCCEEDED");
        LogChunk last = log.read(from(second.chunk().to()));
        assertEquals("three\n", text(last));
        assertTrue(last.hasEnded() && last.chunk().atEnd());
        assertEquals(List.of("living 1", "collected for ann", "copy " + SECOND + "/stdout"), logs.asked);
    }

    @Test
    void readsBackwardsAndAtTheEnd() throws IOException {
        run();
        logs.texts.put(FIRST + "/stdout", "0123456789");
        OpenLog log = open(DRIVER, OptionalInt.empty());
        for (int i = 0; i < 2; i++) { // at the node, then collected
            assertEquals("789", text(log.read(new OutputRange(OutputName.STDOUT, OutputPosition.END, true, 3))));
            assertEquals("456", text(log.read(new OutputRange(OutputName.STDOUT, new OutputPosition(1, 7), true, 3))));
            assertEquals("0", text(log.read(new OutputRange(OutputName.STDOUT, new OutputPosition(1, 1), true, 3))));
            LogChunk end = log.read(from(OutputPosition.END));
            assertEquals(new OutputPosition(1, 10), end.chunk().to());
            assertTrue(end.chunk().atEnd());
            assertEquals("34", text(log.read(new OutputRange(OutputName.STDOUT, new OutputPosition(1, 3), false, 2))));
            end("SUCCEEDED");
        }
    }

    @Test
    void findsTheRightBytesOfALogThatGrowsMeanwhile() throws IOException {
        run();
        OpenLog log = open(EXECUTOR, OptionalInt.empty());
        LogChunk first = log.read(from(OutputPosition.START));
        logs.texts.put(SECOND + "/stdout", "one\n" + "x".repeat(200_000));
        LogChunk second =
                log.read(new OutputRange(OutputName.STDOUT, first.chunk().to(), false, 10));
        assertEquals("xxxxxxxxxx", text(second));
        assertEquals(new OutputPosition(1, 4), second.chunk().from());
        assertFalse(second.chunk().atEnd());
    }

    @Test
    void asksForTheAttemptThatIsMeant() throws IOException {
        run();
        open(DRIVER, OptionalInt.of(2));
        assertEquals(List.of("master 2"), logs.asked);
        logs.texts.put(LATER + "/stdout", "again");
        end("SUCCEEDED");
        assertEquals("again", text(open(DRIVER, OptionalInt.empty()).read(from(OutputPosition.START))));
        assertEquals("driver", text(open(DRIVER, OptionalInt.of(1)).read(from(OutputPosition.START))));
    }

    @Test
    void readsWhatTheResourceManagerHasForgotten() throws IOException {
        run();
        logs.application = Optional.empty();
        assertEquals("one\n", text(open(EXECUTOR, OptionalInt.empty()).read(from(OutputPosition.START))));
        assertTrue(logs.asked.contains("collected for me"), logs.asked::toString);
        logs.texts.clear();
        assertTrue(refusal(EXECUTOR).contains("the ResourceManager does not know it"));
    }

    @Test
    void saysWhereLogsAreIfTheyAreNotHere() {
        run();
        assertTrue(refusal(LogSource.ofExecutor(new ApplicationId(ID), new ExecutorId("8")))
                .contains("it does not run (expected: one that runs, or one of an application that has ended"));
        end("SUCCEEDED");
        assertTrue(refusal(LogSource.ofExecutor(new ApplicationId(ID), new ExecutorId("8")))
                .contains("not among the 2 containers"));
        logs.texts.clear();
        end("DISABLED");
        assertTrue(refusal(EXECUTOR).contains("yarn.log-aggregation-enable=true"));
        end("FAILED");
        assertTrue(refusal(EXECUTOR).contains("YARN says FAILED"));
        end("RUNNING");
        assertThrows(NotYetCollected.class, () -> open(EXECUTOR, OptionalInt.empty()));
    }
}
