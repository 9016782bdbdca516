package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.executor.CredentialSinks;
import dev.hearth.engine.internal.executor.RemoteExecutor;
import dev.hearth.engine.internal.executor.ServiceLink;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentDirectories;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.TestingApplicationLoader;
import java.util.List;
import java.util.Map;

/** Runs executors of the production classes in simulated processes. Stateless. */
final class SimulatedExecutor {
    private static final int MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

    private SimulatedExecutor() {}

    /** Runs a child process as an executor, until it ends by itself. */
    static void run(ChildSpec spec, SimulatedProcesses.Child child) {
        run(ExecutorOrders.from(spec.orders()), spec.orders(), child, Disk.system());
    }

    /** As the other method, with instructions that may differ from those received, and on a disk that may fail. */
    static void run(ExecutorOrders orders, SimulatedProcesses.Child child, Disk disk) {
        run(orders, Map.of(), child, disk);
    }

    /** As above; {@code further} are more orders of the process. */
    static void run(ExecutorOrders orders, Map<String, String> further, SimulatedProcesses.Child child, Disk disk) {
        SimulatedProcess process = child.process();
        RpcEnv rpc = process.env(orders.address(), 0);
        new RemoteExecutor(
                        orders,
                        Settings.empty(),
                        process.loop("executor"),
                        rpc,
                        rpc.address(),
                        (application, jars) -> new TestingApplicationLoader(SimulatedExecutor.class),
                        (classes, cores) -> new SimulatedCores(process, cores),
                        process.loop("copies"),
                        SimulatedCores.clocks(process.loop("clocks")),
                        disk,
                        ContentDirectories.none(),
                        new CredentialSinks(),
                        FileStoreRegistry.of(List::of),
                        ServiceLink.open(Settings.empty().with("orders", further), rpc),
                        MESSAGE_BYTES_MAX)
                .start()
                .thenAccept(ended -> child.exitWith(ended.code().status()));
    }
}
