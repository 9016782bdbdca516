package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerStops;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests what a worker does with supervised drivers: their restarts, their ends, and the lease of the worker. */
class SupervisingWorkerTest {
    private static final SubmissionId DRIVER = new SubmissionId("driver-1");
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final Worker worker = new Worker(new WorkerSpec(
            "worker-1",
            new RpcAddress("127.0.0.1", 7078),
            2,
            1_024,
            Path.of("/var/hearth"),
            OutputFiles.DEFAULTS,
            CleanupSettings.DEFAULTS,
            List.of(new RpcAddress("127.0.0.1", 7077)),
            WorkerSpec.Children.DEFAULTS));
    private long now;

    @Test
    void startsAFailedDriverAgainInItsDirectoryAndSaysSo() {
        begin(OptionalInt.empty());
        WorkerEffect.Start first = (WorkerEffect.Start) worker.effects().get(0);
        assertEquals("1", first.spec().orders().get("hearth.submission.attempt"));
        worker.childEnded("driver-1", exit(137), now);
        assertEquals(
                List.of(
                        new WorkerEffect.Send(new DriverRestarts(
                                DRIVER, 1, 1, OptionalInt.of(137), "exit status 137 (killed by SIGKILL)", 1_000)),
                        new WorkerEffect.Wake("driver-1", 1, Duration.ofSeconds(1))),
                worker.effects());
        assertEquals(1, worker.children(), "it is not free meanwhile");
        now += Duration.ofSeconds(1).toNanos();
        worker.restart("driver-1", 1, now);
        assertEquals(List.of(), worker.effects(), "the master has not permitted it");
        worker.permit(new PermitRestart(DRIVER, 2), now);
        List<WorkerEffect> effects = worker.effects();
        assertEquals(new WorkerEffect.Send(new DriverStarted(DRIVER, 2)), effects.get(0));
        WorkerEffect.Start second = (WorkerEffect.Start) effects.get(1);
        assertEquals("2", second.spec().orders().get("hearth.submission.attempt"));
        assertEquals(first.spec().directory(), second.spec().directory());
        worker.childEnded("driver-1", exit(0), now);
        assertEquals(
                List.of(new WorkerEffect.Report(
                        "driver-1", new DriverEnded(DRIVER, OptionalInt.of(0), "exit status 0", "out", "err"))),
                worker.effects());
        assertEquals(0, worker.children());
    }

    @Test
    void saysAfterItsRegistrationWhatHasHappenedSinceThatWasSent() {
        begin(OptionalInt.empty());
        worker.masterLost();
        worker.registration();
        worker.effects();
        worker.childEnded("driver-1", exit(137), now);
        worker.effects();
        worker.registered(new MasterTerm("cluster", 2), LEASE, now, now);
        assertEquals(
                List.of(new WorkerEffect.Send(new DriverRestarts(
                        DRIVER, 1, 1, OptionalInt.empty(), "exit status 137 (killed by SIGKILL)", 0))),
                worker.effects());
    }

    @Test
    void saysWhyADriverIsNotStartedAgain() {
        begin(OptionalInt.of(0));
        worker.effects();
        worker.childEnded("driver-1", exit(3), now);
        DriverEnded end = (DriverEnded) ((WorkerEffect.Report) worker.effects().get(0)).message();
        assertEquals(OptionalInt.of(3), end.exitStatus());
        assertEquals(
                "exit status 3; not restarted, as hearth.driver.supervise.maxRestarts allows 0 restarts",
                end.message());
    }

    @Test
    void endsAKilledDriverThatRunsOrWaits() {
        begin(OptionalInt.empty());
        worker.effects();
        worker.stop(new StopDriver(DRIVER));
        assertEquals(List.of(new WorkerEffect.Stop("driver-1")), worker.effects());
        worker.childEnded("driver-1", exit(143), now);
        assertTrue(((WorkerEffect.Report) worker.effects().get(0)).message() instanceof DriverEnded);
        worker.taken("driver-1");

        launch(OptionalInt.empty());
        worker.childEnded("driver-1", exit(1), now);
        worker.effects();
        worker.stop(new StopDriver(DRIVER));
        assertEquals(
                List.of(new WorkerEffect.Report(
                        "driver-1",
                        new DriverEnded(
                                DRIVER, OptionalInt.empty(), "killed while it waited for its next start", "", ""))),
                worker.effects());
        worker.restart("driver-1", 1, now);
        assertEquals(List.of(), worker.effects());
    }

    @Test
    void makesTheAttemptTheLastOneWhenItsApplicationIsKilled() {
        begin(OptionalInt.empty());
        worker.endSupervision(new EndSupervision(DRIVER));
        worker.effects();
        worker.childEnded("driver-1", exit(1), now);
        assertEquals(
                List.of(new WorkerEffect.Report(
                        "driver-1", new DriverEnded(DRIVER, OptionalInt.of(1), "exit status 1", "out", "err"))),
                worker.effects());
    }

    @Test
    void tellsTheNextMasterOfADriverThatFailedWithoutOne() {
        begin(OptionalInt.empty());
        worker.masterLost();
        worker.effects();
        worker.childEnded("driver-1", exit(1), now);
        assertEquals(
                List.of(new WorkerEffect.Wake("driver-1", 1, Duration.ofSeconds(1))),
                worker.effects(),
                "no master hears it");
        worker.restart("driver-1", 1, now);
        assertEquals(List.of(), worker.effects(), "no master has permitted it");
        assertEquals(
                List.of(new DriverReport(DRIVER, 1, 1, true, "exit status 1", false, List.of(), 1, 512)),
                worker.registration().session().drivers());
        worker.registered(new MasterTerm("log", 2), LEASE, now, now);
        worker.permit(new PermitRestart(DRIVER, 2), now);
        assertEquals(
                new WorkerEffect.Send(new DriverStarted(DRIVER, 2)),
                worker.effects().get(0));
    }

    @Test
    void endsItsSupervisedDriversWithTheLeaseAndLetsOthersGoOn() {
        begin(OptionalInt.empty());
        worker.launch(
                new LaunchDriver(
                        new SubmissionId("driver-2"),
                        new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512)),
                now);
        worker.masterLost();
        worker.effects();
        worker.expire(LEASE.toNanos() - 1);
        assertEquals(List.of(), worker.effects());
        now = LEASE.toNanos();
        worker.expire(now);
        assertEquals(List.of(new WorkerEffect.Stop("driver-1")), worker.effects());
        worker.childEnded("driver-1", exit(143), now);
        assertEquals(List.of(new WorkerEffect.Send(new DriverReturned(DRIVER, 1))), worker.effects());
        assertEquals(
                List.of("driver-2"),
                worker.registration().session().drivers().stream()
                        .map(report -> report.submission().value())
                        .toList(),
                "that it is missing says that it has ended");
    }

    @Test
    void returnsItsDriversWhenItStops() {
        begin(OptionalInt.empty());
        worker.effects();
        worker.stop();
        assertEquals(
                List.of(new WorkerEffect.Send(new WorkerStops("worker-1")), new WorkerEffect.Stop("driver-1")),
                worker.effects());
        worker.childEnded("driver-1", exit(143), now);
        assertEquals(List.of(new WorkerEffect.Send(new DriverReturned(DRIVER, 1))), worker.effects());
    }

    @Test
    void reportsADriverThatFinishedWhileTheWorkerStopped() {
        begin(OptionalInt.empty());
        worker.stop();
        worker.effects();
        worker.childEnded("driver-1", exit(0), now);
        assertTrue(((WorkerEffect.Send) worker.effects().get(0)).message() instanceof DriverEnded);
    }

    @Test
    void givesUpAMasterThatIsSilentBeforeTheLeaseHasExpired() {
        begin(OptionalInt.empty());
        worker.effects();
        now = Duration.ofSeconds(45).toNanos() - 1;
        worker.expire(now);
        assertEquals(List.of(), worker.effects());
        worker.renewed(Duration.ofSeconds(15).toNanos());
        worker.renewed(Duration.ofSeconds(5).toNanos());
        now = Duration.ofSeconds(60).toNanos() - 1;
        worker.expire(now);
        assertEquals(List.of(), worker.effects(), "the latest answered heartbeat counts");
        now++;
        worker.expire(now);
        assertEquals(List.of(new WorkerEffect.Disconnect("no heartbeat was answered for 45000 ms")), worker.effects());
    }

    @Test
    void startsNoSupervisedDriverWithoutALease() {
        worker.start();
        worker.registered(MasterTerm.NONE, LEASE, now, now);
        worker.effects();
        now = LEASE.toNanos();
        launch(OptionalInt.empty());
        List<WorkerEffect> effects = worker.effects();
        assertEquals(1, effects.size());
        assertTrue(effects.get(0) instanceof WorkerEffect.Disconnect, effects::toString);
        assertEquals(0, worker.children());
    }

    @Test
    void needsNoLeaseFromAMasterThatGivesNone() {
        worker.start();
        worker.registered(MasterTerm.NONE, Duration.ZERO, now, now);
        launch(OptionalInt.empty());
        worker.effects();
        worker.expire(Long.MAX_VALUE / 2);
        assertEquals(List.of(), worker.effects());
    }

    private void begin(OptionalInt restartsMax) {
        worker.start();
        worker.registered(MasterTerm.NONE, LEASE, now, now);
        worker.effects();
        launch(restartsMax);
    }

    private void launch(OptionalInt restartsMax) {
        DriverSpec driver = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512).supervised(restartsMax);
        worker.launch(new LaunchDriver(DRIVER, driver), now);
    }

    private static ChildExit exit(int status) {
        return new ChildExit(OptionalInt.of(status), "exit status " + status, "out", "err");
    }
}
