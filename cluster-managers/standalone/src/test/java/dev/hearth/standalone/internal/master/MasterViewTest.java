package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Lists of workers that a master shows. */
class MasterViewTest extends MasterFixture {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void countsWhatRunsOnEachWorker() {
        register("worker-a", 1, 4, 4_096);
        register("worker-b", 2, 2, 2_048);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(new WantExecutors(id, 3, List.of(), Map.of()), APPLICATION);
        master.submit(
                new SubmitDriver("request", new DriverSpec("pi", "Pi", "a.jar", List.of(), Map.of(), 1, 1_024), ""),
                now);
        settle();
        now = 3 * SECOND;
        master.workerHeartbeat(new WorkerHeartbeat("worker-b", 0), 2, 2 * SECOND);
        assertEquals(
                List.of(
                        "worker-a 10.0.0.1:7078 ALIVE 3/4 2048/4096 3000 ms 2 executors 1 drivers",
                        "worker-b 10.0.0.2:7078 ALIVE 1/2 512/2048 1000 ms 1 executors 0 drivers"),
                master.workerEntries(now).stream().map(MasterViewTest::text).toList());
    }

    @Test
    void showsTheAddressesInUse() {
        ResourceInformation gpus = new ResourceInformation("gpu", List.of("0", "1"));
        master.registerWorker(new RegisterWorker("worker-a", "h", 1, 2, 1_024, "", List.of(gpus)), 1, now);
        DriverSpec driver = new DriverSpec("pi", "Pi", "a.jar", List.of(), Map.of(), 1, 512)
                .but()
                .addresses(Map.of("gpu", 1))
                .build();
        master.submit(new SubmitDriver("request", driver, ""), now);
        settle();
        WorkerEntry worker = master.workerEntries(now).get(0);
        assertEquals(List.of(gpus), worker.resources());
        assertEquals(List.of(new ResourceInformation("gpu", List.of("0"))), worker.resourcesUsed());
    }

    @Test
    void showsLostWorkersAsDeadUntilTheyReturnOrAreForgotten() {
        register("worker-a", 1, 4);
        register("worker-b", 2, 4);
        register("worker-c", 3, 4);
        master.peerLost(1, "connection reset", now);
        now += 60 * SECOND;
        master.peerLost(2, "connection reset", now);
        assertEquals(List.of("worker-c ALIVE", "worker-a DEAD", "worker-b DEAD"), states());
        register("worker-b", 4, 4);
        assertEquals(List.of("worker-c ALIVE", "worker-b ALIVE", "worker-a DEAD"), states());
        now = 15 * 60 * SECOND - 1;
        assertEquals(List.of("worker-c ALIVE", "worker-b ALIVE", "worker-a DEAD"), states());
        now++;
        assertEquals(List.of("worker-c ALIVE", "worker-b ALIVE"), states());
    }

    @Test
    void showsNoLostWorkerIfItShallRememberNone() {
        Master forgetful = new Master(
                settings(Map.of("spark.dead.worker.persistence", "0")), new IdGenerator(java.time.Instant.EPOCH, 0), 0);
        forgetful.registerWorker(new RegisterWorker("worker-a", "h", 1, 1, 1, ""), 1, 0);
        forgetful.peerLost(1, "connection reset", 0);
        assertEquals(List.of(), forgetful.workerEntries(0));
    }

    private List<String> states() {
        return master.workerEntries(now).stream()
                .map(worker -> worker.id() + " " + worker.state())
                .toList();
    }

    private static String text(WorkerEntry worker) {
        return worker.id() + " " + worker.address() + " " + worker.state() + " "
                + number(worker.coresUsed()) + "/" + number(worker.cores()) + " "
                + number(worker.memoryUsedMebibytes()) + "/" + number(worker.memoryMebibytes()) + " "
                + number(worker.heartbeatAgeMillis()) + " ms " + number(worker.executors()) + " executors "
                + number(worker.drivers()) + " drivers";
    }

    private static long number(OptionalInt value) {
        return value.orElse(-1);
    }

    private static long number(OptionalLong value) {
        return value.orElse(-1);
    }
}
