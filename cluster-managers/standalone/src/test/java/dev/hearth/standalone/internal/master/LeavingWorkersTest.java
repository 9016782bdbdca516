package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests what a master does when workers are decommissioned. */
class LeavingWorkersTest extends MasterFixture {
    private static final long WORKER_A = 1;
    private static final long WORKER_B = 2;

    @Test
    void replacesTheExecutorsOfALeavingWorkerAndStartsNothingThere() {
        ApplicationId id = runningOnA();
        register("worker-b", WORKER_B, 2);
        leaves("worker-a", WORKER_A);
        assertEquals(List.of(new LeaveCluster("signal PWR")), messages(LeaveCluster.class), "confirms it");
        assertEquals(
                List.of(new ExecutorLeaves(
                        new ExecutorId("0"), "worker worker-a is decommissioned: signal PWR", OptionalLong.of(5_000))),
                messages(ExecutorLeaves.class));
        assertEquals(List.of(WORKER_A, WORKER_B), recipients(LaunchExecutor.class), "another one instead, at once");
        assertEquals(
                List.of(ExecutorEntry.State.DECOMMISSIONED, ExecutorEntry.State.RUNNING),
                master.executorEntries(Optional.of(id)).stream()
                        .map(ExecutorEntry::state)
                        .toList());
        assertEquals(
                WorkerEntry.State.DECOMMISSIONED, master.workerEntries(0).get(0).state());
        assertEquals(1, master.figures().workersAlive());

        master.release(new ReleaseExecutors(id, List.of(new ExecutorId("0")), "drained"), APPLICATION);
        settle();
        assertEquals(List.of(new StopExecutor(id, new ExecutorId("0"))), messages(StopExecutor.class));
        master.executorEnded(ended(id, "0", 143), WORKER_A, 0);
        settle();
        assertEquals(2, recipients(LaunchExecutor.class).size(), "it was replaced before");
        assertEquals(1, messages(ExecutorGone.class).size());
        assertTrue(master.workerEntries(0).get(0).executors().orElse(9) == 0);
    }

    @Test
    void ordersAWorkerToLeaveOnce() {
        runningOnA();
        assertEquals(List.of("worker-a"), decommission("worker-a"));
        assertEquals(List.of("worker-a"), decommission("10.0.0.1"), "it leaves already");
        assertEquals(List.of(new LeaveCluster("maintenance")), messages(LeaveCluster.class));
        leaves("worker-a", WORKER_A);
        leaves("worker-a", WORKER_A);
        assertEquals(1, messages(LeaveCluster.class).size(), "the order was the confirmation");
        assertEquals(1, messages(ExecutorLeaves.class).size());
    }

    @Test
    void findsAllWorkersOfAHostWhateverItsCase() {
        master.registerWorker(new RegisterWorker("worker-x", "LocalHost", 7_078, 2, 1_024, ""), WORKER_A, 0);
        master.registerWorker(new RegisterWorker("worker-y", "localhost", 7_079, 2, 1_024, ""), WORKER_B, 0);
        assertEquals(List.of(), decommission("NoSuchHost1", "NoSuchHost2"));
        assertEquals(List.of("worker-x", "worker-y"), decommission("lOcalHost", "NoSuchHost"));
    }

    @Test
    void placesNoDriverOnALeavingWorkerAndAwaitsThoseThatRun() {
        register("worker-a", WORKER_A, 4);
        submit("one");
        leaves("worker-a", WORKER_A);
        submit("two");
        assertEquals(1, messages(LaunchDriver.class).size());
        assertEquals(
                List.of(DriverState.RUNNING, DriverState.SUBMITTED),
                master.driverEntries().stream()
                        .map(driver -> driver.status().state())
                        .toList());
        assertTrue(
                master.driverEntries().get(1).status().message().endsWith("workers now: 0"),
                () -> master.driverEntries().get(1).status().message());
        register("worker-b", WORKER_B, 4);
        settle();
        assertEquals(List.of(WORKER_A, WORKER_B), recipients(LaunchDriver.class));
    }

    @Test
    void countsTheEndOfALeavingExecutorAsNoFailure() {
        ApplicationId id = runningOnA();
        leaves("worker-a", WORKER_A);
        for (int i = 1; i <= 20; i++) {
            register("worker-" + i, 100 + i, 1);
            settle();
            leaves("worker-" + i, 100 + i);
            master.executorEnded(ended(id, String.valueOf(i), 1), 100 + i, 0);
            settle();
        }
        assertEquals(List.of(), messages(ApplicationRemoved.class), "20 ended at once, and 10 may fail");
        assertEquals(21, messages(LaunchExecutor.class).size());
    }

    @Test
    void showsALeftWorkerAsDecommissionedAndTakesItBackWhenItRegistersAnew() {
        runningOnA();
        leaves("worker-a", WORKER_A);
        master.peerLost(WORKER_A, "closed", 0);
        settle();
        assertEquals(
                WorkerEntry.State.DECOMMISSIONED, master.workerEntries(0).get(0).state());
        register("worker-a", WORKER_B, 2);
        settle();
        assertEquals(WorkerEntry.State.ALIVE, master.workerEntries(0).get(0).state());
        assertEquals(2, messages(LaunchExecutor.class).size());
    }

    @Test
    void saysThatNoWorkerIsLargeEnoughOnceTheLargeOneLeaves() {
        register("worker-a", WORKER_A, 4);
        register("worker-b", WORKER_B, 1);
        leaves("worker-a", WORKER_A);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(2));
        want(id, 1);
        assertTrue(
                master.applicationEntries(0).get(0).message().contains("the largest of 1 worker"),
                () -> master.applicationEntries(0).get(0).message());
    }

    @Test
    void believesNoOtherConnection() {
        runningOnA();
        leaves("worker-a", WORKER_B);
        assertEquals(WorkerEntry.State.ALIVE, master.workerEntries(0).get(0).state());
    }

    private ApplicationId runningOnA() {
        register("worker-a", WORKER_A, 2);
        ApplicationId id = application(OptionalInt.of(1), OptionalInt.of(1));
        want(id, 1);
        assertEquals(List.of(WORKER_A), recipients(LaunchExecutor.class));
        return id;
    }

    private void want(ApplicationId id, int executors) {
        master.want(new WantExecutors(id, executors, List.of(), Map.of()), APPLICATION);
        settle();
    }

    private void submit(String request) {
        master.submit(
                new SubmitDriver(request, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512), ""), 0);
        settle();
    }

    private void leaves(String worker, long peer) {
        master.workerLeaves(new WorkerLeaves(worker, "signal PWR", OptionalLong.of(5_000)), peer, now);
        settle();
    }

    private List<String> decommission(String... targets) {
        List<String> workers = master.decommission(new DecommissionWorkers(List.of(targets), "maintenance"))
                .workers();
        settle();
        return workers;
    }
}
