package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerStops;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests when a worker that is decommissioned may end. */
class WorkerDepartureTest {
    private static final ApplicationId APPLICATION = new ApplicationId("app-1");
    private static final ExecutorId EXECUTOR = new ExecutorId("0");
    private static final SubmissionId DRIVER = new SubmissionId("driver-1");
    private static final WorkerLeaves LEAVES = new WorkerLeaves("worker-1", "signal PWR", OptionalLong.of(60_000));

    private final Worker worker = new Worker(new WorkerSpec(
            "worker-1",
            new RpcAddress("127.0.0.1", 7078),
            2,
            1_024,
            Path.of("/var/hearth"),
            OutputFiles.DEFAULTS,
            CleanupSettings.DEFAULTS,
            List.of(new RpcAddress("127.0.0.1", 7077)),
            WorkerSpec.Children.DEFAULTS,
            List.of(),
            Optional.of(Duration.ofMinutes(1)),
            WorkerSpec.Pages.DEFAULTS,
            false,
            "session-1"));

    @Test
    void leavesWhenItsExecutorsHaveEndedAndTheMasterHasConfirmed() {
        register();
        worker.launch(executor());
        worker.effects();
        worker.leave("signal PWR", 0);
        worker.leave("signal PWR", 0);
        assertEquals(List.of(LEAVES), sent(), "once");
        assertFalse(worker.hasLeft());
        worker.childEnded("app-1/0", exit(143), 0);
        worker.taken("app-1/0");
        assertFalse(worker.hasLeft(), "an order to start something may be under way");
        worker.leave(new LeaveCluster("signal PWR"), 0);
        assertTrue(worker.hasLeft());
    }

    @Test
    void startsWhatWasOrderedBeforeTheMasterKnew() {
        register();
        worker.leave("signal PWR", 0);
        worker.effects();
        worker.launch(executor());
        assertTrue(worker.effects().get(0) instanceof WorkerEffect.Start);
        worker.leave(new LeaveCluster("signal PWR"), 0);
        assertFalse(worker.hasLeft());
        worker.childEnded("app-1/0", exit(0), 0);
        assertFalse(worker.hasLeft(), "no master has taken the end");
        worker.taken("app-1/0");
        assertTrue(worker.hasLeft());
    }

    @Test
    void leavesOnTheOrderOfTheMasterAndSaysHowLongItWaits() {
        register();
        worker.leave(new LeaveCluster("maintenance"), 0);
        assertEquals(List.of(new WorkerLeaves("worker-1", "maintenance", OptionalLong.of(60_000))), sent());
        assertTrue(worker.hasLeft());
    }

    @Test
    void awaitsADriverAndMovesASupervisedOne() {
        register();
        worker.launch(driver(false, "driver-2"), 0);
        worker.launch(driver(true, "driver-1"), 0);
        worker.leave(new LeaveCluster("signal PWR"), 0);
        assertFalse(worker.hasLeft());
        worker.childEnded("driver-2", exit(0), 0);
        worker.taken("driver-2");
        assertTrue(worker.hasLeft(), "the supervised driver starts elsewhere");
        worker.effects();
        worker.stop();
        assertEquals(List.of(new WorkerStops("worker-1")), sent());
        worker.childEnded("driver-1", exit(143), 0);
        assertEquals(List.of(new DriverReturned(DRIVER, 1)), sent());
    }

    @Test
    void tellsEachMasterAndNeedsNoneToLeave() {
        register();
        worker.leave("signal PWR", 0);
        worker.leave(new LeaveCluster("signal PWR"), 0);
        worker.effects();
        assertTrue(worker.hasLeft());
        worker.masterLost();
        assertTrue(worker.hasLeft(), "nothing runs here");
        worker.effects();
        worker.registered(
                MasterTerm.NONE, Duration.ZERO, 0, Duration.ofSeconds(50).toNanos());
        assertEquals(
                List.of(new WorkerLeaves("worker-1", "signal PWR", OptionalLong.of(10_000))),
                sent(),
                "the next master has to know, and how long it will take");
        assertFalse(worker.hasLeft());
    }

    private void register() {
        worker.start();
        worker.registered(MasterTerm.NONE, Duration.ofMinutes(1), 0, 0);
        worker.effects();
    }

    private List<Record> sent() {
        return worker.effects().stream()
                .filter(WorkerEffect.Send.class::isInstance)
                .map(effect -> ((WorkerEffect.Send) effect).message())
                .toList();
    }

    private static LaunchExecutor executor() {
        return new LaunchExecutor(APPLICATION, EXECUTOR, 1, 512, "hearth://driver-1@127.0.0.1:9", Map.of());
    }

    private static LaunchDriver driver(boolean supervised, String id) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512);
        return new LaunchDriver(
                new SubmissionId(id), supervised ? spec.supervised(OptionalInt.empty()) : spec, List.of(), 1, 0);
    }

    private static ChildExit exit(int status) {
        return new ChildExit(OptionalInt.of(status), "exit status " + status, "", "");
    }
}
