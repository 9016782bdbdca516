package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals that arrive while a submission is awaited. */
@Timeout(30)
class SubmissionInterruptTest extends SubmitRoleFixture {
    private static final String RUNS_ON =
            "driver-1 runs on; end it with: bin/submit --master hearth://h:7077 --kill driver-1\n";

    private void send(EndSignal... sent) {
        for (EndSignal signal : sent) {
            signals.forEach(receiver -> receiver.accept(signal));
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void saysThatTheDriverRunsOnAndHowToEndIt(EndSignal signal, int status) throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.afterScript(() -> send(signal));
        assertEquals(status, submit());
        assertTrue(text(err).endsWith("Driver is running on worker w-1 at host:7078.\n" + RUNS_ON), () -> text(err));
        assertEquals("submit App hearth://h:7077", cluster.asked());
        assertEquals(List.of(), signals, "given back");
    }

    @Test
    void killsTheDriverWhenCtrlCComesAgainAtATerminal() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.afterScript(() -> send(EndSignal.INT, EndSignal.INT));
        assertEquals(130, submit(atTerminal));
        assertTrue(
                text(err)
                        .endsWith("\n" + RUNS_ON + "press Ctrl-C again within 3 s to end it now\n\n"
                                + "driver-1: was RUNNING; kill requested\n"),
                () -> text(err));
        assertEquals("kill driver-1 hearth://h:7077", cluster.asked());
    }

    @Test
    void killsNothingWithoutATerminal() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.afterScript(() -> send(EndSignal.INT, EndSignal.INT));
        assertEquals(130, submit());
        assertTrue(text(err).endsWith(RUNS_ON), () -> text(err));
        assertEquals("submit App hearth://h:7077", cluster.asked());
    }

    @Test
    void leavesTheDriverAloneWhenNoSecondSignalComesInTime() throws Exception {
        Interruption signals = new Interruption(receiver -> {
            receiver.accept(EndSignal.INT);
            return () -> {};
        });
        Detachment detachment = new Detachment(
                Detachment.commandFor(MasterUrl.parse("hearth://h:7077")),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                true,
                Duration.ZERO);
        ExitStatus status = detachment.detach(EndSignal.INT, Optional.of(new SubmissionId("driver-1")), signals, id -> {
            throw new AssertionError("killed");
        });
        assertEquals(130, status.status());
        assertEquals("\n" + RUNS_ON + "press Ctrl-C again within 0 s to end it now\n", text(err));
    }

    @Test
    void saysHowToFindASubmissionThatIsNotAnswered() throws Exception {
        cluster.answerNothing();
        cluster.whenSubmitted(() -> send(EndSignal.INT));
        assertEquals(130, submit());
        assertEquals(
                "submission: the cluster has not said whether it accepts it; look for it with: bin/submit --master"
                        + " hearth://h:7077 --status '*'\n",
                text(err));
    }

    @Test
    void saysWhenTheKillFailed() throws Exception {
        ExitStatus status = new Detachment(
                        Detachment.commandFor(MasterUrl.parse("local[2]")),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        true,
                        Duration.ofMinutes(1))
                .detach(
                        EndSignal.INT,
                        Optional.of(new SubmissionId("driver-1")),
                        new Interruption(receiver -> {
                            receiver.accept(EndSignal.INT);
                            receiver.accept(EndSignal.INT);
                            return () -> {};
                        }),
                        id -> {
                            throw ErrorCode.CLUSTER_LOST.failure("master: gone");
                        });
        assertEquals(130, status.status());
        assertTrue(text(err).contains("--master 'local[2]' --kill driver-1\n"), () -> text(err));
        assertTrue(
                text(err).endsWith("warning: driver-1: not known whether it was killed: master: gone\n"),
                () -> text(err));
    }
}
