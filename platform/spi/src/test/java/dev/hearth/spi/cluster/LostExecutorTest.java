package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.LostExecutor.Cause;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The consequences of each cause of a loss, and its place in messages. */
class LostExecutorTest {
    @Test
    void chargesTasksOrTheHostByTheCause() {
        assertEquals(
                List.of(Cause.FAILED, Cause.UNREACHABLE, Cause.SILENT, Cause.OUT_OF_MEMORY),
                Arrays.stream(Cause.values()).filter(Cause::chargesTasks).toList());
        assertEquals(
                List.of(Cause.FAILED, Cause.UNREACHABLE, Cause.SILENT),
                Arrays.stream(Cause.values()).filter(Cause::chargesHost).toList());
        assertTrue(Arrays.stream(Cause.values()).noneMatch(cause -> cause.isExpected() && cause.chargesTasks()));
    }

    @Test
    void keepsThePlacesOfItsCausesBecauseMessagesContainThem() {
        assertEquals(
                "FAILED RELEASED HOST_LOST PREEMPTED UNREACHABLE SILENT EXCLUDED DECOMMISSIONED REFUSED NEVER_CAME"
                        + " OUT_OF_MEMORY",
                String.join(" ", Arrays.stream(Cause.values()).map(Enum::name).toList()));
    }
}
