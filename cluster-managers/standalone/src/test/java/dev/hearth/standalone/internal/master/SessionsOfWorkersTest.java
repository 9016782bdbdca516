package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests what a master does when workers and applications come back over other connections. */
class SessionsOfWorkersTest extends SessionsFixture {
    @Test
    void keepsWhatRunsOnAWorkerWhoseConnectionFlickers() {
        worker(1, "one");
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 2, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(2, master.coresFree());
        master.peerLost(1, "reset", now);
        pass(Duration.ofSeconds(9));
        assertEquals("", worker(2, "one", executor(id, "0"), executor(id, "1")));
        pass(Duration.ofSeconds(20));
        assertEquals(2, master.coresFree());
        assertEquals(List.of(), messages(ExecutorGone.class));
        assertEquals(List.of(), messages(StopExecutor.class));
    }

    @Test
    void repeatsAnOrderThatWasLostWithTheConnection() {
        worker(1, "one");
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.peerLost(1, "reset", now);
        worker(2, "one");
        assertEquals(List.of(1L, 2L), recipients(LaunchExecutor.class));
        assertEquals(1, messages(ExecutorGranted.class).size());
    }

    @Test
    void givesUpAWorkerThatDoesNotComeBack() {
        worker(1, "one");
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.peerLost(1, "reset", now);
        pass(Duration.ofSeconds(11));
        assertEquals(1, messages(ExecutorGone.class).size());
        assertEquals(0, master.workers());
        worker(2, "one", executor(id, "0"));
        assertEquals(List.of(2L), recipients(StopExecutor.class), "what was declared lost");
        assertEquals(2, master.coresFree(), "it uses its core until it has ended, beside the one that replaces it");
    }

    @Test
    void refusesAnotherProcessWithTheIdOfAWorkerThatIsHeard() {
        worker(1, "one");
        assertEquals(
                "worker worker-a: another process with this id is alive at 10.0.0.1:7078 (expected: one process per id)",
                worker(2, "two"));
        master.peerLost(1, "reset", now);
        assertEquals("", worker(2, "two"), "the first one has gone");
        assertEquals(List.of(), disconnected);
        for (int i = 0; i < 4; i++) {
            pass(Duration.ofSeconds(10));
        }
        assertEquals("", worker(3, "three"), "the second one is silent");
        assertEquals(List.of(2L), disconnected);
    }

    @Test
    void hasAWorkerRegisterAgainThatRunsSomethingElse() {
        long nothing = WorkerSession.sum(List.of());
        assertEquals(
                WorkerHeartbeats.Answer.REGISTER_AGAIN,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 1, 0, nothing), 1, now),
                "it is not known");
        worker(1, "one");
        assertEquals(
                WorkerHeartbeats.Answer.RENEW_LEASE,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 1, 0, nothing), 1, now));
        long more = WorkerSession.sum(List.of("driver-1"));
        assertEquals(
                WorkerHeartbeats.Answer.REGISTER_AGAIN,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 1, 0, more), 1, now));
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(
                WorkerHeartbeats.Answer.RENEW_LEASE,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 1, 0, nothing), 1, now),
                "an order is on its way");
    }

    @Test
    void givesExecutorsToTheApplicationThatClaimsThem() {
        worker(1, "one", executor(KNOWN, "3"), executor(KNOWN, "7"));
        assertEquals(2, master.coresFree(), "they use their cores meanwhile");
        ApplicationId id = application(APPLICATION, session(Optional.of(KNOWN), 2, held("3")));
        assertEquals(KNOWN, id);
        settle();
        assertEquals(List.of(new StopExecutor(KNOWN, new ExecutorId("7"))), messages(StopExecutor.class));
        assertEquals(
                List.of("1004"),
                messages(ExecutorGranted.class).stream()
                        .map(granted -> granted.executor().value())
                        .toList(),
                "the second one has a number that no master has used");
    }

    @Test
    void grantsNothingInsteadOfExecutorsWhoseWorkerIsNotBackYet() {
        register("worker-b", 5, 4);
        application(APPLICATION, session(Optional.of(KNOWN), 2, held("0"), held("1")));
        assertEquals(List.of(), messages(ExecutorGranted.class));
        worker(1, "one", executor(KNOWN, "0"));
        assertEquals(
                List.of("1"),
                messages(ExecutorGone.class).stream()
                        .map(gone -> gone.executor().value())
                        .toList(),
                "its worker is back without it");
        assertEquals(1, messages(ExecutorGranted.class).size());
        assertEquals(8 - 2, master.coresFree());
    }

    @Test
    void givesUpExecutorsWhoseWorkerNeverComes() {
        application(APPLICATION, session(Optional.of(KNOWN), 1, held("0")));
        pass(Duration.ofSeconds(61));
        assertEquals(1, messages(ExecutorGone.class).size());
        register("worker-b", 5, 4);
        settle();
        assertEquals(1, messages(ExecutorGranted.class).size());
    }

    @Test
    void stopsWhatNobodyClaims() {
        worker(
                1,
                "one",
                List.of(new DriverReport(new SubmissionId("driver-9"), 1, 0, false, "", false, List.of(), 1, 512)),
                executor(KNOWN, "3"));
        assertEquals(List.of(new StopDriver(new SubmissionId("driver-9"))), messages(StopDriver.class));
        assertEquals(List.of(), messages(StopExecutor.class));
        pass(Duration.ofSeconds(31));
        assertEquals(1, messages(StopExecutor.class).size());
        assertEquals(2, master.coresFree(), "both run still");
        master.executorEnded(ended(KNOWN, "3", 143), 1, now);
        assertEquals(3, master.coresFree());
    }

    @Test
    void endsAnApplicationThatDoesNotComeBackAndTakesItAgainLater() {
        worker(1, "one");
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.peerLost(APPLICATION, "reset", now);
        pass(Duration.ofSeconds(29));
        assertEquals(1, master.applications());
        pass(Duration.ofSeconds(2));
        assertEquals(0, master.applications());
        assertEquals(1, messages(StopExecutor.class).size());
        assertEquals(id, application(12, session(Optional.of(id), 1, held("0"))));
        assertEquals(1, messages(ExecutorGone.class).size());
        assertTrue(recipients(ExecutorGranted.class).contains(12L));
    }

    @Test
    void registersARepeatedRequestOnce() {
        ApplicationId first = application(APPLICATION, session(Optional.empty(), 0));
        assertEquals(first, application(12, session(Optional.empty(), 0)), "the answer was lost");
        assertEquals(1, master.applications());
        assertEquals(List.of(APPLICATION), disconnected);
    }
}
