package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests supervised drivers of a master that does not know whether it leads: if another one may lead, it may start them
 * elsewhere, and they end within the lease that began before. If all others stand by, they go on.
 */
class UncertainMasterTest {
    private static final RpcAddress MASTER = new RpcAddress("10.0.9.1", 7077);
    private static final RpcAddress OTHER = new RpcAddress("10.0.9.2", 7077);
    private static final Duration LEASE = Duration.ofSeconds(60); // hearth.worker.timeout
    private static final Duration KILL = Duration.ofSeconds(1); // of a process
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Simulation simulation = new Simulation(1, new WireRoundTrip()::copy);
    private final SimulatedProcess other = simulation.process("other");
    private final SimulatedProcess machine = simulation.process("worker");
    private final SimulatedProcesses processes = new SimulatedProcesses(machine, (spec, child) -> {});
    private final MemoryLog log = new MemoryLog();

    /** Starts a master, another one that has the state {@code state}, a worker that knows {@code masters}, and a driver. */
    private void begin(String state, RpcAddress... masters) {
        SimulatedProcess process = simulation.process("master");
        MasterSettings settings = MasterSettings.DEFAULTS;
        MasterShell shell = new MasterShell(
                settings,
                process.loop("master"),
                process.env(MASTER.host(), MASTER.port()),
                UploadDesk.NONE,
                Optional.of(new MasterShell.Recovered(
                        new MasterLedger(settings.ledgerBounds()), log, new Fact.EpochBegun(1, "master", 1))));
        shell.start();
        other.env(OTHER.host(), OTHER.port())
                .register(
                        MasterProtocol.ENDPOINT,
                        MasterProtocol.PROTOCOL,
                        other.loop("master"),
                        Receiver.of(MasterProtocol.ENDPOINT)
                                .answer(FindLeader.class, (message, peer) -> new LeaderFound(0, state, ""))
                                .build());
        WorkerSpec spec = new WorkerSpec(
                "worker-1",
                new RpcAddress("10.0.0.1", 7078),
                4,
                4_096,
                Path.of("work"),
                OutputFiles.DEFAULTS,
                CleanupSettings.DEFAULTS,
                List.of(masters),
                WorkerSpec.Children.DEFAULTS);
        new WorkerShell(spec, machine.loop("worker"), machine.env("10.0.0.1", 7078), processes).start();
        shell.client()
                .submit(SubmissionPlan.builder("d", "x.D")
                        .add(SubmissionResource.Kind.APPLICATION_JAR, "/x.jar")
                        .settings(Settings.empty().with("test", Map.of("hearth.driver.supervise", "true")))
                        .build());
        simulation.runUntil(() -> running() == 1, LONG);
        simulation.runFor(LONG);
        assertEquals(1, running());
    }

    private long running() {
        return processes.started().stream()
                .filter(SimulatedProcesses.Child::isAlive)
                .count();
    }

    @Test
    void goOnWhileAllOthersStandBy() {
        begin(LeaderFound.STANDBY, MASTER, OTHER);
        log.uncertain = true;
        simulation.runFor(LONG);
        assertEquals(1, running());
        log.uncertain = false;
        simulation.runFor(LONG);
        assertEquals(1, running());
        assertEquals(1, processes.started().size(), "it was not started again");
    }

    @Test
    void endInTimeWhenTheOthersCannotBeAskedAnyMore() {
        begin(LeaderFound.STANDBY, MASTER, OTHER);
        log.uncertain = true;
        simulation.runFor(LONG);
        simulation.network().part(machine, other);
        simulation.runFor(LEASE.plus(KILL));
        assertEquals(0, running());
        simulation.runFor(LONG);
        assertEquals(1, processes.started().size(), "a master that is not sure starts nothing");
        log.uncertain = false;
        simulation.runFor(LONG);
        assertEquals(1, running(), "it starts again");
        assertEquals(2, processes.started().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RECOVERING", LeaderFound.UNCERTAIN})
    void endInTimeWhenAnotherMayLead(String state) {
        begin(state, MASTER, OTHER);
        log.uncertain = true;
        simulation.runFor(LEASE.plus(KILL));
        assertEquals(0, running());
    }

    @Test
    void endInTimeWhenTheWorkerKnowsNoOther() {
        begin(LeaderFound.STANDBY, MASTER);
        log.uncertain = true;
        simulation.runFor(LEASE.dividedBy(2));
        assertEquals(1, running());
        simulation.runFor(LEASE.dividedBy(2).plus(KILL));
        assertEquals(0, running());
    }

    /** Log that is durable at once, and may be in doubt. */
    private static final class MemoryLog implements FactLog {
        private boolean uncertain;

        @Override
        public CompletionStage<Void> append(List<Bytes> facts) {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public Optional<String> hindrance() {
            return uncertain ? Optional.of("it is in doubt") : Optional.empty();
        }

        @Override
        public boolean isUncertain() {
            return uncertain;
        }

        @Override
        public boolean wantsSnapshot() {
            return false;
        }

        @Override
        public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
            return CompletableFuture.completedStage(null);
        }
    }
}
