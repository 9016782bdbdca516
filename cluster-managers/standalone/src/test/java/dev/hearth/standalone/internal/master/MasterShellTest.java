package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol.DriverChanged;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what a master shows of itself to other threads, on a simulated network. */
class MasterShellTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1); // long enough for reasons to wait
    private static final Duration HOUR = Duration.ofHours(1);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess process = simulation.process("master");

    @Test
    void countsAWorkerForWhichThereIsNothingToDo() {
        MasterShell shell =
                new MasterShell(MasterSettings.DEFAULTS, process.loop("master"), process.env("10.0.0.1", 7077));
        shell.start();
        simulation
                .process("worker")
                .env()
                .connect(new RpcAddress("10.0.0.1", 7077))
                .thenCompose(master -> master.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                        .ask(new RegisterWorker("worker-1", "h", 1, 4, 1_024, ""), WorkerRegistered.class, MOMENT));
        simulation.runFor(MOMENT);
        assertEquals(new MasterFigures(1, 0, 0, 0, 0, 0), shell.figures());
    }

    @Test
    void saysNothingAboutADriverWhoseSubmissionIsNotDurable() {
        HeldFactLog log = new HeldFactLog();
        MasterSettings settings = MasterSettings.DEFAULTS;
        MasterShell shell = new MasterShell(
                settings,
                process.loop("master"),
                process.env("10.0.0.1", 7077),
                UploadDesk.NONE,
                Optional.of(new MasterShell.Recovered(
                        new MasterLedger(settings.ledgerBounds()), log, new Fact.EpochBegun(1, "master", 1))));
        shell.start();
        log.write();
        List<String> received = new ArrayList<>();
        SimulatedProcess submitter = simulation.process("submitter");
        RpcEnv env = submitter.env();
        env.register(
                "watcher",
                SubmitterProtocol.PROTOCOL,
                submitter.loop("submitter"),
                Receiver.of("watcher")
                        .on(
                                DriverChanged.class,
                                (message, peer) -> received.add(
                                        "changed " + message.status().submission()))
                        .build());
        env.connect(new RpcAddress("10.0.0.1", 7077))
                .thenCompose(master -> master.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                        .ask(
                                new SubmitDriver(
                                        "request",
                                        new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512),
                                        "watcher"),
                                DriverSubmitted.class,
                                HOUR))
                .thenAccept(answer -> received.add("answer " + answer.submission()));
        simulation.runFor(MOMENT);
        log.hindrance = Optional.of("disk full"); // from now on, what acknowledges nothing need not wait
        simulation.runFor(MINUTE);
        assertEquals(List.of(), received);
        log.hindrance = Optional.empty();
        log.write();
        simulation.runFor(MINUTE);
        String id = received.get(0).substring("answer ".length());
        assertEquals(Set.of("answer " + id, "changed " + id), Set.copyOf(received));
    }
}
