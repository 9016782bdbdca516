package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol.DriverChanged;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Decisions of the master. Peers are numbers: workers 1 and 2, submitter 7, application 9. */
class MasterTest extends MasterFixture {
    private static final long SECOND = 1_000_000_000L;
    private static final long SUBMITTER = 7;

    @Test
    void placesADriverOnTheWorkerWithMostFreeCoresAndReportsItsState() {
        register("worker-a", 1, 2);
        register("worker-b", 2, 4);
        SubmissionId id = submit("r", 1);
        assertEquals("driver-20261118094746-0000", id.value());
        settle();
        assertEquals(List.of(2L), recipients(LaunchDriver.class));
        assertEquals(DriverState.RUNNING, lastStatus().state());
        assertEquals("worker-b", lastStatus().worker());
        assertEquals("10.0.0.2:7078", lastStatus().workerAddress());
        assertEquals(5, master.coresFree());

        master.driverEnded(new DriverEnded(id, OptionalInt.of(0), "exit status 0", "Pi", ""), 2, 90 * SECOND);
        settle();
        SubmissionTimes times = lastStatus().shown().times();
        assertEquals(times.submittedMillis(), times.startedMillis());
        assertEquals(Optional.of(Duration.ofSeconds(90)), times.took());
        assertEquals(DriverState.FINISHED, lastStatus().state());
        assertEquals("Pi", lastStatus().output());
        assertEquals(6, master.coresFree());
    }

    @Test
    void keepsADriverWaitingUntilAWorkerFitsAndReportsItOnce() {
        SubmissionId id = submit("r", 2);
        settle();
        settle();
        assertEquals(1, messages(DriverChanged.class).size());
        assertTrue(
                lastStatus().message().startsWith("waits for a worker with 2 free cores"),
                lastStatus().message());
        register("worker-a", 1, 1);
        settle();
        assertEquals(DriverState.SUBMITTED, master.find(id).status().state());
        register("worker-b", 2, 2);
        settle();
        assertEquals(DriverState.RUNNING, master.find(id).status().state());
    }

    @Test
    void createsOneDriverForARepeatedRequest() {
        assertEquals(submit("same", 1), submit("same", 1));
        assertNotEquals(submit("same", 1), submit("other", 1));
    }

    @Test
    void distinguishesTheOutcomesOfADriver() {
        register("worker-a", 1, 8);
        SubmissionId failing = submit("1", 1);
        SubmissionId neverStarted = submit("2", 1);
        SubmissionId killed = submit("3", 1);
        settle();
        master.driverEnded(new DriverEnded(failing, OptionalInt.of(1), "exit status 1", "", "error: x"), 1, 0);
        master.driverEnded(new DriverEnded(neverStarted, OptionalInt.empty(), "no such directory", "", ""), 1, 0);
        assertEquals(DriverState.RUNNING, master.kill(killed, 0).status().state());
        settle();
        assertEquals(List.of(1L), recipients(StopDriver.class));
        master.driverEnded(new DriverEnded(killed, OptionalInt.of(143), "exit status 143", "", ""), 1, 0);
        assertEquals(DriverState.FAILED, master.find(failing).status().state());
        assertEquals(DriverState.ERROR, master.find(neverStarted).status().state());
        assertEquals(DriverState.KILLED, master.find(killed).status().state());
        assertEquals(8, master.coresFree());
    }

    @Test
    void countsTheStartsOfADriverAndLinksToItsOutput() {
        SubmissionId id = submit("r", 1);
        assertEquals(1, master.find(id).status().shown().attempt(), "as of the first start");
        assertEquals(Map.of(), master.find(id).status().links());
        master.registerWorker(new RegisterWorker("worker-a", "10.0.0.1", 7078, 1, 8_192, "/var/hearth/work"), 1, now);
        settle();
        DriverStatus running = master.find(id).status();
        assertEquals(1, running.attempt());
        String directory = "file://10.0.0.1/var/hearth/work/" + id;
        assertEquals(
                Map.of("stderr", directory + "/stderr", "stdout", directory + "/stdout"),
                running.shown().links());
        assertEquals(running.links(), running.withoutOutput().links());
    }

    @Test
    void killsAWaitingDriverAndRejectsUnknownIds() {
        SubmissionId id = submit("r", 1);
        master.kill(id, 0);
        assertEquals(DriverState.KILLED, master.find(id).status().state());
        HearthException failure = assertThrows(HearthException.class, () -> master.find(new SubmissionId("driver-0")));
        assertEquals("SUBMISSION_UNKNOWN", failure.code());
    }

    @Test
    void findsAndKillsAllDriversThatMatchAPattern() {
        register("worker-a", 1, 1);
        SubmissionId first = submit("1", 1);
        SubmissionId second = submit("2", 1);
        settle();
        List<DriverStatus> found = master.find(new FindDrivers("driver-*")).statuses();
        assertEquals(
                List.of(first, second),
                found.stream().map(DriverStatus::submission).toList());
        assertEquals(List.of(), master.find(new FindDrivers("other-*")).statuses());
        List<DriverStatus> killed = master.kill(new KillDrivers("*"), 0).statuses();
        assertEquals(
                List.of(DriverState.RUNNING, DriverState.SUBMITTED),
                killed.stream().map(DriverStatus::state).toList());
        settle();
        assertEquals(List.of(1L), recipients(StopDriver.class));
        master.driverEnded(new DriverEnded(first, OptionalInt.of(143), "exit status 143", "much", "more"), 1, 0);
        for (DriverStatus status : master.find(new FindDrivers("driver-*")).statuses()) {
            assertEquals(DriverState.KILLED, status.state());
            assertEquals("", status.output() + status.errors(), "left out of answers about many drivers");
        }
        HearthException malformed = assertThrows(HearthException.class, () -> master.find(new FindDrivers("../*")));
        assertEquals("BAD_ARGUMENT", malformed.code());
    }

    @Test
    void grantsOneExecutorPerWorkerWithAllFreeCoresByDefault() {
        register("worker-a", 1, 2);
        register("worker-b", 2, 3);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        settle();
        assertEquals(0, messages(LaunchExecutor.class).size(), "nothing is given before it is wanted");
        master.want(new WantExecutors(id, Integer.MAX_VALUE, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(3, 2), cores());
        assertEquals(2, messages(ExecutorGranted.class).size());
        assertEquals(0, master.coresFree());
    }

    @Test
    void grantsExecutorsOfTheWantedSizeUpToTheWantedTotals() {
        register("worker-a", 1, 5);
        register("worker-b", 2, 4);
        ApplicationId id = application(OptionalInt.of(6), OptionalInt.of(2));
        master.want(new WantExecutors(id, 10, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(2, 2, 2), cores(), "cores.max allows three of two");
        master.want(new WantExecutors(id, 10, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(3, cores().size(), "a total that is repeated changes nothing");
    }

    @Test
    void avoidsExcludedHosts() {
        register("worker-a", 1, 5);
        register("worker-b", 2, 4);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 2, List.of("10.0.0.1"), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(2L), recipients(LaunchExecutor.class));
    }

    @Test
    void replacesAFailedExecutorButNotAReleasedOneBeyondTheTotal() {
        register("worker-a", 1, 2);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.executorEnded(ended(id, "0", 1), 1, now);
        settle();
        assertEquals(2, messages(LaunchExecutor.class).size());
        assertEquals(Cause.FAILED, messages(ExecutorGone.class).get(0).cause());

        master.want(new WantExecutors(id, 0, List.of(), Map.of()), APPLICATION);
        master.release(new ReleaseExecutors(id, List.of(new ExecutorId("1")), "idle"), APPLICATION);
        settle();
        assertEquals(1, messages(StopExecutor.class).size());
        master.executorEnded(ended(id, "1", 143), 1, now);
        settle();
        assertEquals(Cause.RELEASED, messages(ExecutorGone.class).get(1).cause());
        assertEquals(2, messages(LaunchExecutor.class).size());
        assertEquals(2, master.coresFree());
    }

    @Test
    void removesAnApplicationWhoseExecutorsAllFailEarly() {
        register("worker-a", 1, 1);
        register("worker-b", 2, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, Integer.MAX_VALUE, List.of(), Map.of()), APPLICATION);
        int ends = 0;
        while (master.applications() > 0) {
            assertTrue(ends < 100, "it is given up at last");
            settle();
            List<MasterEffect.Send> launches = sent.stream()
                    .filter(sending -> sending.message() instanceof LaunchExecutor)
                    .toList();
            if (ends < launches.size()) {
                MasterEffect.Send launch = launches.get(ends++);
                String executor = ((LaunchExecutor) launch.message()).executor().value();
                master.executorEnded(ended(id, executor, 1), launch.peer(), now);
            } else {
                now += SECOND / 4;
            }
        }
        settle();
        assertEquals(MasterSettings.DEFAULTS.executorFailuresMax(), ends);
        assertTrue(now > 5 * SECOND, "the later ones had to wait");
        assertTrue(messages(ApplicationRemoved.class).get(0).reason().contains("work/stderr"));
    }

    @Test
    void resetsTheCountOfFailuresAfterAStableExecutor() {
        register("worker-a", 1, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, Integer.MAX_VALUE, List.of(), Map.of()), APPLICATION);
        for (int i = 0; i < 3 * MasterSettings.DEFAULTS.executorFailuresMax(); i++) {
            settle();
            now += 61 * SECOND;
            master.executorEnded(ended(id, String.valueOf(i), 1), 1, now);
        }
        assertEquals(1, master.applications());
    }

    @Test
    void reportsTheStateToARepeatedSubmission() {
        register("worker-a", 1, 1);
        SubmissionId id = submit("same", 1);
        settle();
        master.driverEnded(new DriverEnded(id, OptionalInt.of(0), "exit status 0", "", ""), 1, 0);
        settle();
        sent.clear();
        submit("same", 1);
        settle();
        assertEquals(DriverState.FINISHED, lastStatus().state());
    }

    @Test
    void keepsWorkersAfterItWasSuspendedItself() {
        register("worker-a", 1, 1);
        master.expire(SECOND);
        master.expire(300 * SECOND);
        assertEquals(1, master.workers());
        for (int second = 301; second <= 361; second++) {
            master.expire(second * SECOND);
        }
        assertEquals(0, master.workers());
    }

    @Test
    void rejectsAnApplicationThatWantsExecutorsWithoutCores() {
        HearthException failure =
                assertThrows(HearthException.class, () -> application(OptionalInt.empty(), OptionalInt.of(0)));
        assertEquals("SUBMISSION_REFUSED", failure.code());
    }

    @Test
    void releasesEverythingOfALostApplication() {
        register("worker-a", 1, 2);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.peerLost(APPLICATION, "closed", now);
        settle();
        assertEquals(1, messages(StopExecutor.class).size());
        assertEquals(0, master.coresFree(), "until its process has ended");
        assertEquals(0, master.applications());
        for (int report = 0; report < 2; report++) {
            master.executorEnded(ended(id, "0", 143), 1, now);
            settle();
            assertEquals(2, master.coresFree(), "cores are given back once");
        }
    }

    @Test
    void ignoresRequestsForAnApplicationFromOtherPeers() {
        register("worker-a", 1, 2);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), 77);
        settle();
        assertEquals(0, messages(LaunchExecutor.class).size());
        master.end(new EndApplication(id, "FINISHED"), 77, now);
        assertEquals(1, master.applications());
    }

    @Test
    void reportsDriversAndExecutorsOfALostWorkerAsLost() {
        register("worker-a", 1, 4);
        SubmissionId driver = submit("r", 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        master.peerLost(1, "connection reset", now);
        settle();
        assertEquals(DriverState.ERROR, master.find(driver).status().state());
        assertEquals("worker worker-a is lost: connection reset", lastStatus().message());
        assertEquals(1, messages(ExecutorGone.class).size());
        assertEquals(0, master.workers());
    }

    @Test
    void losesASilentWorkerAndKeepsOneWithHeartbeats() {
        register("worker-a", 1, 1);
        register("worker-b", 2, 1);
        master.workerHeartbeat(new WorkerHeartbeat("worker-b", 0), 2, 40 * SECOND);
        master.workerHeartbeat(
                new WorkerHeartbeat("worker-a", 0), 2, 40 * SECOND); // the heartbeat of another peer does not count
        for (int second = 1; second <= 61; second++) {
            master.expire(second * SECOND);
        }
        settle();
        assertEquals(1, master.workers());
        assertEquals(List.of(1L), disconnected);
    }

    @Test
    void treatsAWorkerOnAnotherConnectionAsANewOne() {
        register("worker-a", 1, 2);
        SubmissionId driver = submit("r", 1);
        settle();
        register("worker-a", 5, 2);
        assertEquals(DriverState.ERROR, master.find(driver).status().state());
        assertEquals(2, master.coresFree());
        master.driverEnded(new DriverEnded(driver, OptionalInt.of(0), "", "", ""), 5, 0);
        assertEquals(DriverState.ERROR, master.find(driver).status().state(), "a final state stays");
    }

    @Test
    void keepsADriverWaitingForMemory() {
        register("worker-a", 1, 8, 1_023);
        SubmissionId id = submit("r", 1);
        settle();
        assertEquals(DriverState.SUBMITTED, master.find(id).status().state());
        register("worker-b", 2, 1, 1_024);
        settle();
        assertEquals(DriverState.RUNNING, master.find(id).status().state());
    }

    @Test
    void grantsExecutorsWithinTheMemoryThatDriversAndExecutorsLeave() {
        register("worker-a", 1, 8, 1_024 + 2 * 512);
        SubmissionId driver = submit("r", 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 10, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(2, cores().size());
        master.executorEnded(ended(id, "0", 1), 1, now);
        settle();
        assertEquals(3, cores().size(), "the memory of an ended executor is free");
        master.driverEnded(new DriverEnded(driver, OptionalInt.of(0), "exit status 0", "", ""), 1, 0);
        settle();
        assertEquals(5, cores().size(), "the memory of an ended driver is free");
    }

    @Test
    void grantsExecutorsOnAReadmittedHost() {
        register("worker-a", 1, 5);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of("10.0.0.1"), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(), cores());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(5), cores());
    }

    @Test
    void replacesExecutorsOfALostWorkerOnOthersAtOnce() {
        register("worker-a", 1, 4);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 2, List.of(), Map.of()), APPLICATION);
        settle();
        register("worker-b", 2, 4);
        master.peerLost(1, "connection reset", now);
        settle();
        assertEquals(List.of(1L, 1L, 2L, 2L), recipients(LaunchExecutor.class));
        assertTrue(messages(ExecutorGone.class).stream().allMatch(gone -> gone.cause() == Cause.HOST_LOST));
    }

    @Test
    void replacesReleasedExecutorsWithoutBackOff() {
        register("worker-a", 1, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        int releases = 2 * MasterSettings.DEFAULTS.executorFailuresMax();
        for (int i = 0; i < releases; i++) {
            master.release(new ReleaseExecutors(id, List.of(new ExecutorId(String.valueOf(i))), "idle"), APPLICATION);
            master.executorEnded(ended(id, String.valueOf(i), 143), 1, now);
            settle();
        }
        assertEquals(releases + 1, cores().size());
        assertEquals(1, master.applications());
    }

    @Test
    void ignoresReportsAboutTheWorkOfOtherWorkers() {
        register("worker-a", 1, 2);
        register("worker-b", 2, 1);
        SubmissionId driver = submit("r", 2);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(2L), recipients(LaunchExecutor.class));
        master.driverEnded(new DriverEnded(driver, OptionalInt.of(0), "exit status 0", "", ""), 2, 0);
        master.executorEnded(ended(id, "0", 1), 1, now);
        settle();
        assertEquals(DriverState.RUNNING, master.find(driver).status().state());
        assertEquals(0, messages(ExecutorGone.class).size());
        assertEquals(0, master.coresFree());
    }

    @Test
    void refusesWorkersBeyondTheLimit() {
        MasterSettings oneWorker = settings(Map.of("hearth.deploy.workersMax", "1"));
        Master small = new Master(oneWorker, new IdGenerator(Instant.EPOCH, 0), 0);
        assertEquals(
                "",
                small.registerWorker(new RegisterWorker("a", "h", 1, 1, 1, ""), 1, 0)
                        .refusal());
        assertEquals(
                "1 worker registered already, and 0 lost workers may reconnect (expected: at most"
                        + " hearth.deploy.workersMax = 1 in all, with this one)",
                small.registerWorker(new RegisterWorker("b", "h", 2, 1, 1, ""), 2, 0)
                        .refusal());
        assertEquals(1, small.workers());
    }

    @Test
    void registersOneWorkerPerConnection() {
        register("worker-a", 1, 1);
        assertEquals(
                "1 worker registered over this connection already (expected: at most that many, from"
                        + " hearth.deploy.workersPerConnectionMax); give each worker a connection of its own",
                refusal(master, "worker-b", 1, 0));
        register("worker-a", 1, 1); // a repeated registration, whose first answer was lost
        register("worker-b", 2, 1);
        assertEquals(
                "1 worker registered over this connection already (expected: at most that many, from"
                        + " hearth.deploy.workersPerConnectionMax); give each worker a connection of its own",
                refusal(master, "worker-a", 2, 0));
        assertEquals(2, master.workers(), "worker-a was not declared lost by the refused registration");
    }

    @Test
    void keepsThePlaceOfALostWorkerUntilItsTimeout() {
        MasterSettings twoWorkers =
                settings(Map.of("hearth.deploy.workersMax", "2", "hearth.deploy.workersPerConnectionMax", "2"));
        Master small = new Master(twoWorkers, new IdGenerator(Instant.EPOCH, 0), 0);
        assertEquals("", refusal(small, "honest", 1, 0));
        assertEquals("", refusal(small, "stranger-1", 2, 0));
        small.peerLost(1, "connection reset", 10 * SECOND);
        assertEquals(
                "1 worker registered already, and 1 lost worker may reconnect (expected: at most"
                        + " hearth.deploy.workersMax = 2 in all, with this one)",
                refusal(small, "stranger-2", 2, 69 * SECOND));
        assertEquals("", refusal(small, "honest", 3, 69 * SECOND));
        small.peerLost(3, "connection reset", 70 * SECOND);
        assertEquals("", refusal(small, "stranger-2", 2, 131 * SECOND));
    }

    @Test
    void keepsAnApplicationThatHasAStableExecutor() {
        register("worker-a", 1, 1);
        register("worker-b", 2, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 2, List.of(), Map.of()), APPLICATION);
        settle();
        now += 61 * SECOND;
        int failures = 0;
        for (int quarter = 0; quarter < 1_000; quarter++) {
            if (1 + failures < messages(LaunchExecutor.class).size()) { // executor 0 stays
                master.executorEnded(ended(id, String.valueOf(1 + failures), 1), 1, now);
                failures++;
            }
            now += SECOND / 4;
            settle();
        }
        assertTrue(failures > 2 * MasterSettings.DEFAULTS.executorFailuresMax(), failures + " failures");
        assertEquals(1, master.applications());
    }

    @Test
    void keepsTheReservationsOfAWorkerThatRegistersAgainOverTheSameConnection() {
        register("worker-a", 1, 2);
        SubmissionId driver = submit("r", 1);
        settle();
        register("worker-a", 1, 2);
        settle();
        assertEquals(DriverState.RUNNING, master.find(driver).status().state());
        assertEquals(1, master.coresFree());
    }

    private static String refusal(Master of, String worker, long peer, long now) {
        return of.registerWorker(new RegisterWorker(worker, "10.0.0.1", 7078, 1, 8_192, ""), peer, now)
                .refusal();
    }

    private SubmissionId submit(String request, int cores) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), cores, 1_024);
        SubmitDriver submission = new SubmitDriver(request, spec, "submitter");
        SubmissionId id = master.submit(submission, 0).submission();
        master.acknowledged(submission, SUBMITTER);
        return id;
    }

    private List<Integer> cores() {
        return messages(LaunchExecutor.class).stream()
                .map(LaunchExecutor::cores)
                .toList();
    }

    private DriverStatus lastStatus() {
        List<DriverChanged> statuses = messages(DriverChanged.class);
        return statuses.get(statuses.size() - 1).status();
    }
}
