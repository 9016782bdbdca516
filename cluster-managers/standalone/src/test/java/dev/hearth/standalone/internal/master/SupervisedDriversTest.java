package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol.DriverChanged;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests what a master does with supervised drivers: their restarts, lost workers, kills, and their applications. */
class SupervisedDriversTest extends MasterFixture {
    private static final long WORKER_A = 11;
    private static final long WORKER_B = 12;
    private static final long SUBMITTER = 7;
    private static final long FENCE = Duration.ofSeconds(60 + 6 + 13).toNanos();

    @Test
    void showsTheRestartsOfADriverUnderItsId() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        master.driverRestarts(restarts(id, 1), WORKER_A, now);
        settle();
        assertEquals(DriverState.RELAUNCHING, status(id).state());
        assertEquals(
                "attempt 1 has ended: exit status 1; starts again in 1 s",
                status(id).message());
        assertEquals(List.of(new PermitRestart(id, 2)), messages(PermitRestart.class));
        master.driverStarted(new DriverStarted(id, 2), WORKER_A, now);
        settle();
        assertEquals(DriverState.RUNNING, status(id).state());
        assertEquals(2, status(id).attempt());
        assertEquals(
                "started again after 1 failure; attempt 1 has ended: exit status 1",
                status(id).message());
        end(id, WORKER_A, 0);
        assertEquals(
                List.of(DriverState.RUNNING, DriverState.RELAUNCHING, DriverState.RUNNING, DriverState.FINISHED),
                heard());
        assertTrue(notes.get(0).startsWith("WARN driver " + id + " (pi) is RELAUNCHING: attempt 1"), notes::toString);
    }

    @Test
    void believesNoOtherWorkerAndNoOtherAttempt() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        supervisor("worker-b", WORKER_B);
        master.driverRestarts(restarts(id, 1), WORKER_B, now);
        master.driverRestarts(restarts(id, 2), WORKER_A, now);
        master.driverStarted(new DriverStarted(id, 2), WORKER_A, now);
        master.driverReturned(new DriverReturned(id, 1), WORKER_B, now);
        assertEquals(DriverState.RUNNING, status(id).state());
        assertEquals(1, status(id).attempt());
    }

    @Test
    void startsTheDriverOfALostWorkerElsewhereOnceItSurelyRunsNoMore() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        now = Duration.ofSeconds(10).toNanos();
        master.workerHeartbeat(new WorkerHeartbeat("worker-a", 0), WORKER_A, now);
        supervisor("worker-b", WORKER_B);
        master.peerLost(WORKER_A, "gone", now + 5);
        settle();
        assertEquals(DriverState.RELAUNCHING, status(id).state());
        assertEquals("", status(id).worker());
        assertTrue(
                status(id)
                        .message()
                        .endsWith("is lost: gone; starts again elsewhere, in 78 s, when it surely runs no" + " more"),
                () -> status(id).message());
        now += FENCE - 1;
        settle();
        assertEquals(1, messages(LaunchDriver.class).size(), "it may still run");
        now++;
        settle();
        LaunchDriver second = messages(LaunchDriver.class).get(1);
        assertEquals(2, second.attempt());
        assertEquals(0, second.restarts(), "the loss of a worker is no failure of the driver");
        assertEquals("worker-b", status(id).worker());
        assertEquals(
                List.of("stderr", "stdout", "stderr-1", "stdout-1"),
                List.copyOf(status(id).links().keySet()));
        end(id, WORKER_B, 0);
        assertEquals(
                List.of(
                        DriverState.RUNNING,
                        DriverState.RELAUNCHING,
                        DriverState.SUBMITTED,
                        DriverState.RUNNING,
                        DriverState.FINISHED),
                heard());
    }

    @Test
    void usesNoNumberOfAStartTwice() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        master.driverRestarts(restarts(id, 1), WORKER_A, now);
        master.peerLost(WORKER_A, "gone", now); // the worker may have begun attempt 2 before
        assertEquals(DriverState.RELAUNCHING, status(id).state());
        assertThrows(HearthException.class, () -> application(id, 2), "it has no worker");
        supervisor("worker-b", WORKER_B);
        now += FENCE;
        settle();
        assertEquals(3, messages(LaunchDriver.class).get(1).attempt());
        assertEquals(1, messages(LaunchDriver.class).get(1).restarts());
        assertEquals(
                "started again after 1 failure; attempt 1 has ended: worker worker-a is lost: gone",
                status(id).message());
        assertThrows(HearthException.class, () -> application(id, 2), "its worker is lost");
        application(id, 3);
    }

    @Test
    void startsTheDriverOfAWorkerThatComesBackAtOnce() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        master.peerLost(WORKER_A, "gone", now);
        settle();
        supervisor("worker-a", WORKER_A + 100);
        settle();
        assertEquals(2, messages(LaunchDriver.class).size());
        supervisor("worker-a", WORKER_A + 200);
        settle();
        assertEquals(3, status(id).attempt(), "registered again over another connection, before the loss was noticed");
    }

    @Test
    void remembersTheLastWorkersOfADriver() {
        SubmissionId id = null;
        for (int i = 0; i < 9; i++) {
            master.registerWorker(
                    new RegisterWorker("worker-" + i, "10.0.0." + i, 7078, 4, 8_192, "/work", List.of(), true, false),
                    i,
                    now);
            id = id == null ? submit() : id;
            settle();
            master.workerStops("worker-" + i, i);
            master.driverReturned(new DriverReturned(id, i + 1), i, now);
        }
        assertEquals(9, status(id).attempt());
        assertEquals(2 + 10, status(id).links().size());
        assertEquals(
                "file://10.0.0.7/work/" + id + "/stdout", status(id).links().get("stdout-8"));
    }

    @Test
    void startsTheDriverOfAWorkerThatStopsElsewhereAtOnce() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        supervisor("worker-b", WORKER_B);
        master.workerStops("worker-a", WORKER_A);
        master.driverReturned(new DriverReturned(id, 1), WORKER_A, now);
        settle();
        assertEquals("worker-b", status(id).worker());
        assertEquals(2, status(id).attempt());
    }

    @Test
    void placesNothingOnAWorkerThatStops() {
        supervisor("worker-a", WORKER_A);
        master.workerStops("worker-a", WORKER_B);
        SubmissionId id = submit();
        assertEquals(DriverState.RUNNING, status(id).state(), "another connection says nothing");
        master.workerStops("worker-a", WORKER_A);
        SubmissionId second = submit("other");
        assertEquals(DriverState.SUBMITTED, status(second).state());
    }

    @Test
    void placesSupervisedDriversOnWorkersThatSuperviseOnly() {
        register("worker-old", 3, 16);
        SubmissionId id = submit();
        assertEquals(DriverState.SUBMITTED, status(id).state());
        assertTrue(status(id).message().contains(" that supervises drivers; workers now: 1"), status(id)::message);
        supervisor("worker-a", WORKER_A);
        settle();
        assertEquals("worker-a", status(id).worker());
        assertEquals(
                WorkerHeartbeats.Answer.NONE,
                master.workerHeartbeat(new WorkerHeartbeat("worker-old", 0), 3, now),
                "it understands no answer");
        assertEquals(
                WorkerHeartbeats.Answer.RENEW_LEASE,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 0), WORKER_A, now));
        assertEquals(
                WorkerHeartbeats.Answer.NONE,
                master.workerHeartbeat(new WorkerHeartbeat("worker-a", 0), WORKER_B, now));
    }

    @Test
    void keepsAKilledDriverKilled() {
        supervisor("worker-a", WORKER_A);
        SubmissionId backsOff = submit("a");
        master.driverRestarts(restarts(backsOff, 1), WORKER_A, now);
        master.kill(backsOff, now);
        settle();
        assertEquals(1, messages(PermitRestart.class).size(), "it was permitted before");
        assertEquals(List.of(new StopDriver(backsOff)), messages(StopDriver.class));
        master.driverEnded(new DriverEnded(backsOff, OptionalInt.empty(), "killed", "", ""), WORKER_A, now);
        assertEquals(DriverState.KILLED, status(backsOff).state());

        SubmissionId runs = submit("b");
        master.kill(runs, now);
        master.driverRestarts(restarts(runs, 1), WORKER_A, now); // was sent before the worker had the order to end it
        settle();
        assertEquals(1, messages(PermitRestart.class).size(), "a killed driver gets no permission");
        master.peerLost(WORKER_A, "gone", now);
        assertEquals(DriverState.KILLED, status(runs).state(), "although its worker is lost before it has ended");

        supervisor("worker-b", WORKER_B);
        SubmissionId fenced = submit("c");
        master.peerLost(WORKER_B, "gone", now);
        master.kill(fenced, now);
        assertEquals(DriverState.KILLED, status(fenced).state(), "killed between two workers");
        supervisor("worker-b", WORKER_B + 100);
        now += 2 * FENCE;
        settle();
        assertEquals(3, messages(LaunchDriver.class).size(), "nothing starts again");
    }

    @Test
    void endsTheDriverWhoseApplicationWasKilled() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        ApplicationId application = application(id, 1);
        master.kill(new KillApplication(application, "too old"), now);
        settle();
        assertEquals(List.of(new EndSupervision(id)), messages(EndSupervision.class));
        end(id, WORKER_A, 1);
        assertEquals(DriverState.KILLED, status(id).state());
    }

    @Test
    void endsTheApplicationsOfADeadAttemptAndNoLaterOnes() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        ApplicationId first = application(id, 1);
        master.want(new WantExecutors(first, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.driverRestarts(restarts(id, 1), WORKER_A, now);
        settle();
        ApplicationId second = application(id, 2); // overtakes the report of the start
        settle();
        assertEquals(List.of(ApplicationEntry.State.FAILED, ApplicationEntry.State.RUNNING), states());
        assertEquals(
                List.of(new ApplicationRemoved("its driver has failed", false)), messages(ApplicationRemoved.class));
        assertEquals(1, messages(StopExecutor.class).size(), "its executor is freed");
        assertEquals(second, master.applicationEntries(now).get(1).id());
        master.driverStarted(new DriverStarted(id, 2), WORKER_A, now);
        master.peerLost(WORKER_A, "gone", now);
        assertEquals(List.of(ApplicationEntry.State.FAILED, ApplicationEntry.State.FAILED), states());
    }

    @Test
    void refusesApplicationsOfAnAttemptThatHasEnded() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit();
        master.driverRestarts(restarts(id, 1), WORKER_A, now);
        HearthException refused = assertThrows(HearthException.class, () -> application(id, 1));
        assertEquals("SUBMISSION_REFUSED", refused.code());
        assertTrue(
                refused.getMessage().contains("attempt 1 of " + id + " has ended for the master"), refused::getMessage);
        master.driverStarted(new DriverStarted(id, 2), WORKER_A, now);
        assertThrows(HearthException.class, () -> application(id, 1));
        application(id, 2);
    }

    @Test
    void leavesDriversWithoutSupervisionAsTheyWere() {
        supervisor("worker-a", WORKER_A);
        SubmissionId id = submit("plain", spec());
        master.driverRestarts(restarts(id, 1), WORKER_A, now);
        assertEquals(DriverState.RUNNING, status(id).state());
        master.peerLost(WORKER_A, "gone", now);
        assertEquals(DriverState.ERROR, status(id).state());
    }

    private void supervisor(String worker, long peer) {
        assertEquals(
                60_000,
                master.registerWorker(
                                new RegisterWorker(
                                        worker, "10.0.0." + peer, 7078, 4, 8_192, "/work", List.of(), true, false),
                                peer,
                                now)
                        .leaseMillis());
    }

    private static DriverSpec spec() {
        return new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512);
    }

    private SubmissionId submit() {
        return submit("request");
    }

    private SubmissionId submit(String request) {
        return submit(request, spec().supervised(OptionalInt.empty()));
    }

    private SubmissionId submit(String request, DriverSpec spec) {
        SubmitDriver submission = new SubmitDriver(request, spec, "submitter");
        SubmissionId id = master.submit(submission, now).submission();
        master.acknowledged(submission, SUBMITTER);
        settle();
        return id;
    }

    private ApplicationId application(SubmissionId driver, int attempt) {
        return master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                OptionalInt.empty(),
                                OptionalInt.of(1),
                                512,
                                Map.of(),
                                Map.of(),
                                "ann",
                                Optional.of(driver),
                                attempt),
                        APPLICATION,
                        now)
                .application();
    }

    private List<ApplicationEntry.State> states() {
        return master.applicationEntries(now).stream()
                .map(ApplicationEntry::state)
                .toList();
    }

    private static DriverRestarts restarts(SubmissionId id, int attempt) {
        return new DriverRestarts(id, attempt, attempt, OptionalInt.of(1), "exit status 1", 1_000);
    }

    private void end(SubmissionId id, long worker, int status) {
        master.driverEnded(new DriverEnded(id, OptionalInt.of(status), "exit status " + status, "", ""), worker, now);
        settle();
    }

    private DriverStatus status(SubmissionId id) {
        return master.find(id).status();
    }

    /** States that the submitter has received, each change once. */
    private List<DriverState> heard() {
        return messages(DriverChanged.class).stream()
                .map(message -> message.status().state())
                .toList();
    }
}
