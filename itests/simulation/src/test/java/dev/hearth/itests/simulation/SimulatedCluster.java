package dev.hearth.itests.simulation;

import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A standalone cluster: a master and a worker with two cores. */
final class SimulatedCluster extends ApplicationCluster {
    private static final int CORES = EXECUTORS;
    private static final int MEMORY_MEBIBYTES = 4_096;

    private final SimulatedProcess masterProcess;
    private final SimulatedProcess worker;
    private final MasterShell masterShell;
    private final SimulatedProcesses children;

    SimulatedCluster(long seed) {
        super(seed, "hearth://127.0.0.1:7077");
        masterProcess = simulation().process("master");
        worker = simulation().process("worker");
        masterShell = new MasterShell(
                MasterSettings.DEFAULTS, masterProcess.loop("master"), masterProcess.env("127.0.0.1", 7077));
        children = new SimulatedProcesses(worker, this::run);
        RpcAddress address = new RpcAddress("127.0.0.1", 7078);
        WorkerSpec spec = new WorkerSpec(
                "worker-1",
                address,
                CORES,
                MEMORY_MEBIBYTES,
                Path.of("work"),
                OutputFiles.DEFAULTS,
                CleanupSettings.DEFAULTS,
                List.of(RpcAddress.parse(master().rest()).orElseThrow()),
                WorkerSpec.Children.DEFAULTS);
        masterShell.start();
        new WorkerShell(spec, worker.loop("worker"), worker.env(address.host(), address.port()), children).start();
    }

    @Override
    ClusterManager manager(SimulatedProcess process, Path directory) {
        return new StandaloneManager();
    }

    @Override
    CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, SubmissionServices services, SubmissionListener listener) {
        return new StandaloneSubmitter(master(), services).submit(plan, "request-1", listener);
    }

    @Override
    SimulatedProcess machine() {
        return worker;
    }

    @Override
    Set<SubmissionState> statesWithoutMachine() {
        // Killed before the driver was placed, the driver waits for another worker: there is none, so nothing is
        // decided.
        return Set.of(SubmissionState.ERROR, SubmissionState.SUBMITTED);
    }

    @Override
    SimulatedProcess controller() {
        return masterProcess;
    }

    @Override
    String submissions() {
        return "driver-*-????";
    }

    @Override
    boolean isWithinBounds() {
        return masterShell.coresFree() >= 0 && masterShell.coresFree() <= CORES;
    }

    @Override
    boolean isQuiet() {
        boolean masterQuiet = !masterProcess.alive()
                || (masterShell.applications() == 0 && (!worker.alive() || masterShell.coresFree() == CORES));
        return masterQuiet && children.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    /** Times before which work directories were to be unchanged, one for each search of the worker. */
    List<Instant> cleanups() {
        return children.cleanups();
    }
}
