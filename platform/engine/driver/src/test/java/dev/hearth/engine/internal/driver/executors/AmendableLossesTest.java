package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests which later reports of a cluster manager replace the reason of a loss. */
class AmendableLossesTest {
    private static final ExecutorId A = new ExecutorId("a");
    private static final LostExecutor CUT = LostExecutor.of(Cause.UNREACHABLE, "connection lost");
    private static final LostExecutor OUT_OF_MEMORY = LostExecutor.of(Cause.OUT_OF_MEMORY, "above 2 GiB");

    private final AmendableLosses losses = new AmendableLosses();

    @Test
    void takesEachNewReasonOnce() {
        assertFalse(losses.amend(A, OUT_OF_MEMORY), "not lost yet");
        losses.lost(A, CUT);
        assertFalse(losses.amend(A, CUT), "the same reason");
        assertTrue(losses.amend(A, OUT_OF_MEMORY));
        assertFalse(losses.amend(A, OUT_OF_MEMORY));
        assertTrue(losses.amend(A, LostExecutor.of(Cause.HOST_LOST, "node down")));
    }

    @Test
    void ignoresTheConfirmationOfARelease() {
        losses.lost(A, CUT);
        assertFalse(losses.amend(A, LostExecutor.released("connection lost, so it was released")));
    }

    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            mode = Mode.INCLUDE,
            names = {"RELEASED", "EXCLUDED", "DECOMMISSIONED", "REFUSED", "NEVER_CAME"})
    void keepsTheReasonForWhichTheDriverStoppedAnExecutor(Cause cause) {
        losses.lost(A, LostExecutor.of(cause, "it was stopped"));
        assertFalse(losses.amend(A, OUT_OF_MEMORY));
    }

    @Test
    void forgetsTheOldest() {
        losses.lost(A, CUT);
        for (int other = 0; other < AmendableLosses.LOSSES_MAX; other++) {
            losses.lost(new ExecutorId("other-" + other), CUT);
        }
        assertFalse(losses.amend(A, OUT_OF_MEMORY));
        assertTrue(losses.amend(new ExecutorId("other-0"), OUT_OF_MEMORY));
    }
}
