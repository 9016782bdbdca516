package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.yarn.internal.line.EndedContainer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks the table of exit statuses: cause, failure of the application, blame of the node, a sentence and a next step. */
class ExitMeaningTest {
    private static final ContainerSize MEMORY = new ContainerSize(2048, 0, 384);
    private static final String KILLED =
            "Container [pid=7,containerID=c] is running 104857600B beyond the 'PHYSICAL' memory"
                    + " limit. Current usage: 2.5 GB of 2.4 GB physical memory used; 5.8 GB of 5.0 GB virtual memory used."
                    + " Killing container.";

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        // status, cause, counts as failure, blames node, next step
        "0, RELEASED, false, false, see the ResourceManager's log",
        "-100, HOST_LOST, false, false, its node is lost",
        "-101, HOST_LOST, false, true, check the local directories",
        "-102, PREEMPTED, false, false, a queue with a larger share",
        "-103, OUT_OF_MEMORY, true, false, yarn.nodemanager.vmem-check-enabled",
        "-104, OUT_OF_MEMORY, true, false, set hearth.executor.memoryOverhead to",
        "-105, RELEASED, false, false, see the page of the application",
        "-106, RELEASED, false, false, see the page of the application",
        "-107, RELEASED, false, false, see the page of the application",
        "-108, PREEMPTED, false, false, a queue with a larger share",
        "-109, FAILED, true, false, raise yarn.nodemanager.container-log-monitor",
        "-1000, NEVER_CAME, true, true, see the log of that NodeManager",
        "3, OUT_OF_MEMORY, true, false, raise hearth.executor.memory",
        "52, OUT_OF_MEMORY, true, false, raise hearth.executor.memory",
        "6, REFUSED, false, false, see the driver's log",
        "7, NEVER_CAME, true, true, the executor's log names",
        "56, UNREACHABLE, false, false, raise hearth.network.timeout",
        "137, FAILED, true, true, see the kernel's log",
        "143, FAILED, true, true, see the log of that NodeManager",
        "1, FAILED, true, true, see the log of the executor",
        "-1, FAILED, true, true, see the log of the executor"
    })
    void explainsEachStatus(int status, Cause cause, boolean counts, boolean blames, String next) {
        ExitMeaning meaning = meaning(status, "details", Optional.empty(), false);

        assertEquals(cause, meaning.loss().cause());
        assertEquals(counts, meaning.countsAsFailure());
        assertEquals(blames, meaning.blamesNode());
        assertEquals(status, meaning.loss().exitStatus().orElseThrow());
        String reason = meaning.loss().reason();
        assertTrue(reason.contains(next), reason);
        assertTrue(reason.contains("container c7 on host1"), reason);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0", "1", "137", "143", "-100", "-105", "-106", "-107"})
    void tellsTheDriversOwnReasonIfItHasReleasedTheExecutor(int status) {
        ExitMeaning meaning = meaning(status, "details", Optional.of("idle for 60 s"), false);

        assertEquals(Cause.RELEASED, meaning.loss().cause());
        assertEquals("idle for 60 s", meaning.loss().reason());
        assertEquals(false, meaning.countsAsFailure() || meaning.blamesNode());
    }

    @Test
    void countsAnExecutorThatNeverReachedItsDriverAsAFailure() {
        ExitMeaning meaning = ExitMeaning.of(
                new EndedContainer("c7", 56, "connection to the driver: 10.0.0.1:4711: connection refused"),
                new ExitMeaning.Circumstances("host1", MEMORY, Optional.empty(), false, false));

        assertEquals(Cause.NEVER_CAME, meaning.loss().cause());
        assertTrue(meaning.countsAsFailure());
        assertEquals(false, meaning.blamesNode());
        String reason = meaning.loss().reason();
        assertTrue(reason.contains("10.0.0.1:4711") && reason.contains("set hearth.driver.host"), reason);
    }

    @Test
    void namesTheNumbersOfAPhysicalMemoryKill() {
        assertEquals(
                "Container killed by YARN for exceeding physical memory limits. 2.5 GB of 2.4 GB physical memory used."
                        + " container c7 on host1: limit 2432 MiB = heap 2048 MiB + off-heap 0 MiB + overhead 384 MiB; set"
                        + " hearth.executor.memoryOverhead to 768m",
                meaning(-104, KILLED, Optional.empty(), false).loss().reason());
    }

    @Test
    void namesTheNumbersOfAVirtualMemoryKill() {
        String reason = meaning(-103, KILLED, Optional.empty(), false).loss().reason();

        assertTrue(reason.contains("virtual memory limits. 5.8 GB of 5.0 GB virtual memory used."), reason);
    }

    @Test
    void doublesTheOverheadIfTheDiagnosticsNameNoNumbers() {
        String reason = meaning(-104, "", Optional.empty(), false).loss().reason();

        assertTrue(reason.endsWith("memoryOverhead to 768m"), reason);
    }

    @Test
    void acceptsASignalAfterANotice() {
        ExitMeaning meaning = meaning(143, "", Optional.empty(), true);

        assertEquals(Cause.RELEASED, meaning.loss().cause());
        assertEquals(false, meaning.countsAsFailure() || meaning.blamesNode());
    }

    @Test
    void shortensDiagnostics() {
        String reason =
                meaning(1, "x".repeat(100_000), Optional.empty(), false).loss().reason();

        assertTrue(reason.length() < 3_000);
    }

    @Test
    void explainsAStartThatFailed() {
        ExitMeaning meaning = ExitMeaning.notStarted("c7", "host1", "connection refused");

        assertEquals(Cause.NEVER_CAME, meaning.loss().cause());
        assertEquals(
                "container c7 on host1 did not start: connection refused; see the log of that NodeManager",
                meaning.loss().reason());
    }

    private static ExitMeaning meaning(int status, String diagnostics, Optional<String> released, boolean leaving) {
        return ExitMeaning.of(
                new EndedContainer("c7", status, diagnostics),
                new ExitMeaning.Circumstances("host1", MEMORY, released, leaving, true));
    }
}
