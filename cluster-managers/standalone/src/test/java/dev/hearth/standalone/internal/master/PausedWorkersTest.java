package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests what a master does with workers whose disks are full. */
class PausedWorkersTest extends MasterFixture {
    private static final long PAUSE = Duration.ofSeconds(60).toNanos();
    private static final long BACKOFF = Duration.ofSeconds(30).toNanos();

    private ApplicationId id = new ApplicationId("none");

    @Test
    void startsNothingOnAFullWorkerUntilThePauseIsOver() {
        register("worker-a", 1, 2);
        register("worker-b", 2, 1);
        want();
        assertEquals(List.of(1L), recipients(LaunchExecutor.class));
        full(1, "0");
        now += BACKOFF;
        settle();
        assertEquals(List.of(1L, 2L), recipients(LaunchExecutor.class), "on the other one");
        assertEquals(
                Map.of("hindrance", "No space left on device"),
                master.workerEntries(now).get(0).attributes());
        assertTrue(
                notes.contains("WARN worker worker-a gets nothing to run for 60 s: No space left on device"),
                notes::toString);
        master.executorEnded(ended(id, "1", 0), 2, now);
        master.peerLost(2, "closed", now);
        now = PAUSE - 1;
        settle();
        assertEquals(2, recipients(LaunchExecutor.class).size());
        now = PAUSE;
        settle();
        assertEquals(List.of(1L, 2L, 1L), recipients(LaunchExecutor.class));
        assertEquals(Map.of(), master.workerEntries(now).get(0).attributes());
    }

    @Test
    void countsNoFailureOfAnApplicationOnAFullDisk() {
        register("worker-a", 1, 1);
        want();
        for (int i = 0; i < 20; i++) {
            full(1, String.valueOf(i));
            now += PAUSE;
            settle();
        }
        assertEquals(List.of(), messages(ApplicationRemoved.class), "10 failures are allowed");
        assertEquals(21, recipients(LaunchExecutor.class).size());
    }

    @Test
    void keepsALeavingOrLostWorkerOutAfterThePause() {
        register("worker-a", 1, 1);
        register("worker-b", 2, 1);
        want();
        full(1, "0");
        master.workerLeaves(new WorkerLeaves("worker-a", "signal PWR", OptionalLong.empty()), 1, now);
        master.workerFull(new WorkerFull("worker-b", "No space left on device", 60_000), 2, now);
        master.peerLost(2, "closed", now);
        now += PAUSE;
        settle();
        assertEquals(1, recipients(LaunchExecutor.class).size());
    }

    private void want() {
        id = application(OptionalInt.of(1), OptionalInt.of(1));
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
    }

    private void full(long peer, String executor) {
        master.workerFull(new WorkerFull("worker-a", "No space left on device", 60_000), peer, now);
        master.executorEnded(
                new ExecutorEnded(id, new ExecutorId(executor), OptionalInt.empty(), "no space", List.of()), peer, now);
        settle();
    }
}
