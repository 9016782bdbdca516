package dev.hearth.yarn.internal.seat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.yarn.internal.line.FinalOutcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decides which ends of a driver are reported to YARN, by status, rule and attempt. */
class SeatEndTest {
    private static final SeatEnd.Attempts FIRST = new SeatEnd.Attempts(false, true);
    private static final SeatEnd.Attempts LAST = new SeatEnd.Attempts(false, false);
    private static final SeatEnd.Attempts FIRST_AS_IN_SPARK = new SeatEnd.Attempts(true, true);
    private static final SeatEnd.Attempts LAST_AS_IN_SPARK = new SeatEnd.Attempts(true, false);

    private static Optional<FinalOutcome> outcome(int status, SeatEnd.Attempts attempts) {
        return SeatEnd.of(new ExitStatus(status), "why", "", attempts).outcome();
    }

    @Test
    void succeedsWithStatusZeroInEachAttempt() {
        for (SeatEnd.Attempts attempts : List.of(FIRST, LAST, FIRST_AS_IN_SPARK, LAST_AS_IN_SPARK)) {
            assertEquals(Optional.of(FinalOutcome.SUCCEEDED), outcome(0, attempts));
        }
    }

    @Test
    void endsTheApplicationAtOnceIfItsProgramFails() {
        for (int status : new int[] {1, 2, 3, 6, 7, 50, 101, 200}) {
            assertEquals(Optional.of(FinalOutcome.FAILED), outcome(status, FIRST), "status " + status);
            assertEquals(Optional.empty(), outcome(status, FIRST_AS_IN_SPARK), "status " + status);
            assertEquals(Optional.of(FinalOutcome.FAILED), outcome(status, LAST_AS_IN_SPARK), "status " + status);
        }
    }

    @Test
    void leavesTheNextAttemptToYarnIfTheClusterFails() {
        for (ExitCode code : List.of(
                ExitCode.CLUSTER_LOST, ExitCode.CLUSTER_UNREACHABLE, ExitCode.DRIVER_LOST, ExitCode.TERMINATED)) {
            assertEquals(Optional.empty(), outcome(code.status(), FIRST), code.name());
            assertEquals(Optional.of(FinalOutcome.FAILED), outcome(code.status(), LAST), code.name());
        }
    }

    @Test
    void beginsItsWordsWithTheStatusAndTheReason() {
        assertEquals(
                "exit status 3\nboom",
                SeatEnd.of(new ExitStatus(3), " boom\n", "", FIRST).words());
        assertEquals(
                "exit status 3\nboom\n\nlast lines",
                SeatEnd.of(new ExitStatus(3), "boom", "last lines\n", FIRST).words());
        assertEquals("", SeatEnd.of(new ExitStatus(0), "", "noise", FIRST).words());
    }
}
