package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Failures that say that a disk is full. */
class DiskShortageTest {
    @Test
    void reportsAFullDiskAndNoOtherFailure() {
        String why =
                "executor process in /w: /w/app-1: No space left on device (expected: the operating system starts it)";
        assertEquals(
                Optional.of(new WorkerFull("worker-1", why, 60_000)),
                DiskShortage.report("worker-1", ErrorCode.START_FAILED.failure(why)));
        assertEquals(
                Optional.of("/w: Disk quota exceeded"),
                DiskShortage.report("worker-1", new IllegalStateException("/w: Disk quota exceeded", new IOException()))
                        .map(WorkerFull::reason)
                        .map(reason -> reason.substring(reason.indexOf("/w"))));
        assertEquals(
                Optional.empty(),
                DiskShortage.report(
                        "worker-1", ErrorCode.START_FAILED.failure("java: permission denied (expected: x)")));
    }
}
