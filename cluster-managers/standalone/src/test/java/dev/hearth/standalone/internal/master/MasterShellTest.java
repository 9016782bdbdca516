package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests what a master shows of itself to other threads, on a simulated network. */
class MasterShellTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

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
}
