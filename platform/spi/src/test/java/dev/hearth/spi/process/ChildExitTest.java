package dev.hearth.spi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Descriptions of the exits of child processes. */
class ChildExitTest {
    @Test
    void quotesTheLastErrorLine() {
        assertEquals(
                "exit status 1: second",
                end(1, "error: first\nlog\nerror: second\nlog\n").describe());
        assertEquals("exit status 0", end(0, "log\n").describe());
    }

    @Test
    void namesSignalsAndExhaustedMemory() {
        assertEquals("exit status 137 (killed by SIGKILL)", end(137, "").describe());
        assertEquals("exit status 143 (ended by SIGTERM)", end(143, "").describe());
        assertEquals("exit status 139 (ended by signal 11)", end(139, "").describe());
        assertEquals("exit status 9", end(9, "").describe());
        assertEquals("exit status 128", end(128, "").describe());
        assertEquals("exit status 255", end(255, "").describe());
        String memory = "Terminating due to java.lang.OutOfMemoryError: Java heap space";
        assertEquals("exit status 3: " + memory, end(3, memory + "\n").describe());
    }

    @Test
    void describesAFailureToStart() {
        ChildExit end = ChildExit.notStarted(ErrorCode.START_FAILED.failure("executor process: no memory"));
        assertEquals(OptionalInt.empty(), end.status());
        assertEquals("executor process: no memory", end.describe());
    }

    @Test
    void isReportedWithUnreadableLogs() {
        ChildExit end = ChildExit.of(new Unreadable(), 7);
        assertEquals("exit status 7", end.describe());
        assertTrue(end.errors().contains("disk"), end::errors);
    }

    @Test
    void isNotRepeatedInTheTextOfALostExecutor() {
        ChildExit end = end(137, "");
        assertEquals(
                "exit status 137 (killed by SIGKILL); see stderr",
                new LostExecutor(LostExecutor.Cause.FAILED, end.describe(), end.status(), List.of("stderr"))
                        .toString());
        assertEquals(
                "idle, exit status 143",
                new LostExecutor(LostExecutor.Cause.RELEASED, "idle", OptionalInt.of(143), List.of()).toString());
    }

    private static ChildExit end(int status, String errors) {
        return new ChildExit(OptionalInt.of(status), "exit status " + status, "", errors);
    }

    /** Process whose logs cannot be read. */
    private static final class Unreadable implements ChildProcess {
        @Override
        public long pid() {
            return 1;
        }

        @Override
        public CompletionStage<Integer> exit() {
            return CompletableFuture.completedStage(7);
        }

        @Override
        public void stop() {}

        @Override
        public String outputTail(int bytesMax) {
            return "out";
        }

        @Override
        public String errorTail(int bytesMax) {
            throw new UncheckedIOException(new IOException("disk"));
        }
    }
}
