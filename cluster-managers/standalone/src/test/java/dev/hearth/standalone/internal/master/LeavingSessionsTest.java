package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DecommissionWorkers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Decommission of workers while connections to workers and applications end and come back, and masters change. */
class LeavingSessionsTest extends SessionsFixture {
    private static final String REASON = "worker worker-a is decommissioned: signal PWR";

    private void leaves(long peer) {
        master.workerLeaves(new WorkerLeaves("worker-a", "signal PWR", OptionalLong.of(60_000)), peer, now);
        settle();
    }

    private List<String> decommission() {
        List<String> workers = master.decommission(new DecommissionWorkers(List.of("worker-a"), "maintenance"))
                .workers();
        settle();
        return workers;
    }

    private ApplicationId runningOnA() {
        worker(1, "one");
        ApplicationId id = application(APPLICATION, session(Optional.empty(), 0));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        return id;
    }

    @Test
    void confirmsADepartureOverEachConnection() {
        worker(1, "one");
        leaves(1);
        assertEquals(List.of(1L), recipients(LeaveCluster.class));
        master.peerLost(1, "reset", now);
        worker(2, "one");
        leaves(2);
        assertEquals(List.of(1L, 2L), recipients(LeaveCluster.class), "the worker waits for it with each master");
    }

    @Test
    void repeatsAnOrderToLeaveThatWasLostWithTheConnection() {
        worker(1, "one");
        assertEquals(List.of("worker-a"), decommission());
        master.peerLost(1, "reset", now);
        worker(2, "one");
        assertEquals(List.of(1L, 2L), recipients(LeaveCluster.class));
        assertEquals(
                new LeaveCluster("maintenance"), messages(LeaveCluster.class).get(1));
        leaves(2);
        assertEquals(2, messages(LeaveCluster.class).size(), "the order was the confirmation");
    }

    @Test
    void ordersAWorkerToLeaveThatIsAway() {
        worker(1, "one");
        master.peerLost(1, "reset", now);
        assertEquals(List.of("worker-a"), decommission());
        worker(2, "one");
        assertEquals(
                2L,
                recipients(LeaveCluster.class)
                        .get(recipients(LeaveCluster.class).size() - 1));
    }

    @Test
    void informsAnApplicationThatWasAwayWithTheTimeThatIsLeft() {
        ApplicationId id = runningOnA();
        master.peerLost(APPLICATION, "reset", now);
        leaves(1);
        now += Duration.ofSeconds(20).toNanos();
        application(12, session(Optional.of(id), 1, held("0")));
        ExecutorLeaves told = messages(ExecutorLeaves.class)
                .get(messages(ExecutorLeaves.class).size() - 1);
        assertEquals(new ExecutorLeaves(new ExecutorId("0"), REASON, OptionalLong.of(40_000)), told);
        assertEquals(
                12L,
                recipients(ExecutorLeaves.class)
                        .get(recipients(ExecutorLeaves.class).size() - 1));
    }

    @Test
    void informsAnApplicationThatClaimsAnExecutorOnALeavingWorker() {
        worker(1, "one", executor(KNOWN, "3"));
        leaves(1);
        register("worker-b", 5, 4);
        application(APPLICATION, session(Optional.of(KNOWN), 1, held("3")));
        assertEquals(
                List.of(new ExecutorLeaves(new ExecutorId("3"), REASON, OptionalLong.of(60_000))),
                messages(ExecutorLeaves.class));
        assertEquals(List.of(5L), recipients(LaunchExecutor.class), "another one instead");
    }
}
