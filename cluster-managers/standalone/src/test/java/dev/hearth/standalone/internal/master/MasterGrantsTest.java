package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DoubtExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which executors a master grants, to which application, and what it knows about them. Workers are peers 1, 2, 3. */
class MasterGrantsTest extends MasterFixture {
    @Test
    void prefersTheHostsThatTasksPrefer() {
        register("worker-a", 1, 8);
        register("worker-b", 2, 4);
        register("worker-c", 3, 4);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 1, List.of(), Map.of("10.0.0.3", 5, "10.0.0.9", 50)), APPLICATION);
        settle();
        assertEquals(List.of(3L), recipients(LaunchExecutor.class));
        master.want(new WantExecutors(id, 2, List.of("10.0.0.3"), Map.of("10.0.0.3", 5)), APPLICATION);
        settle();
        assertEquals(List.of(3L, 1L), recipients(LaunchExecutor.class), "excluded hosts remain excluded");
    }

    @Test
    void reportsWhereAnExecutorWritesItsOutput() {
        register("worker-a", 1, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(
                "/directories/" + id + "/0",
                messages(ExecutorGranted.class).get(0).directory());
    }

    @Test
    void ordersExecutorsOfOneWorkerAtOnce() {
        master.registerWorker(new RegisterWorker("new", "10.0.0.1", 7078, 3, 8_192, "", List.of(), true, true), 1, 0);
        register("old", 2, 3);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 6, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(1L), recipients(LaunchExecutors.class));
        LaunchExecutors batch = messages(LaunchExecutors.class).get(0);
        assertEquals(3, batch.orders().size());
        assertEquals(List.of(2L, 2L, 2L), recipients(LaunchExecutor.class), "it knows no batches");
        assertEquals(
                messages(LaunchExecutor.class).get(0).memoryMebibytes(),
                batch.orders().get(0).memoryMebibytes());
        assertEquals(6, messages(ExecutorGranted.class).size());
        assertEquals(
                6,
                Stream.concat(batch.orders().stream(), messages(LaunchExecutor.class).stream())
                        .map(LaunchExecutor::executor)
                        .distinct()
                        .count());
    }

    @Test
    void servesTheApplicationThatRegisteredFirst() {
        register("worker-a", 1, 2);
        register("worker-b", 2, 2);
        ApplicationId first = application(OptionalInt.empty(), OptionalInt.empty());
        ApplicationId second = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(second, 0, List.of(), Map.of()), APPLICATION);
        master.want(new WantExecutors(first, Integer.MAX_VALUE, List.of(), Map.of()), APPLICATION);
        master.want(new WantExecutors(second, Integer.MAX_VALUE, List.of(), Map.of()), APPLICATION);
        settle();
        assertEquals(
                List.of(first, first),
                messages(LaunchExecutor.class).stream()
                        .map(LaunchExecutor::application)
                        .toList());
        assertEquals(0, master.coresFree());
        master.end(new EndApplication(first, "FINISHED"), APPLICATION, now);
        settle();
        assertEquals(2, messages(LaunchExecutor.class).size(), "as long as the processes of the first one run");
        for (int executor = 0; executor < 2; executor++) {
            long peer = recipients(LaunchExecutor.class).get(executor);
            master.executorEnded(ended(first, String.valueOf(executor), 143), peer, now);
        }
        settle();
        assertEquals(
                List.of(first, first, second, second),
                messages(LaunchExecutor.class).stream()
                        .map(LaunchExecutor::application)
                        .toList());
    }

    @Test
    void confirmsADoubtAboutAnExecutorOfASilentWorker() {
        register("worker-a", 1, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.empty());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        settle();
        DoubtExecutor doubt = new DoubtExecutor(id, new ExecutorId("0"));
        long silence = 2 * MasterSettings.DEFAULTS.heartbeat().toNanos();
        master.doubt(doubt, APPLICATION, silence);
        settle();
        assertEquals(List.of(), messages(ExecutorGone.class), "its worker sent a heartbeat lately");
        master.doubt(doubt, 77, silence + 1);
        master.doubt(new DoubtExecutor(id, new ExecutorId("9")), APPLICATION, silence + 1);
        settle();
        assertEquals(List.of(), messages(ExecutorGone.class), "of another application, or unknown");
        master.doubt(doubt, APPLICATION, silence + 1);
        master.doubt(doubt, APPLICATION, silence + 1);
        settle();
        assertEquals(1, messages(ExecutorGone.class).size());
        assertEquals(Cause.HOST_LOST, messages(ExecutorGone.class).get(0).cause());
        assertEquals(1, messages(StopExecutor.class).size(), "in case that the worker returns");
        assertEquals(0, master.coresFree(), "reserved until the worker reports the end");
        master.executorEnded(ended(id, "0", 143), 1, silence + 2);
        settle();
        assertEquals(Cause.RELEASED, messages(ExecutorGone.class).get(1).cause());
        assertEquals(2, messages(LaunchExecutor.class).size(), "replaced");
    }
}
