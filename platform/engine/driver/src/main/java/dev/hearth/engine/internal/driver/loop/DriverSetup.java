package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The dependencies of a driver. {@code number} is unique in the process. {@code rpc} opens an RPC environment if the
 * driver needs one. {@code cores} and {@code memory} supply the cores and the memory of this process. {@code shown}
 * lists the open applications for command shells and web pages. {@code racks} returns the source of racks that a bundle
 * provides; empty if there is none. {@code stores} are closed after the driver. {@code answering} runs application code outside tasks.
 * It is present only if the driver must not start threads, as in a simulation.
 */
public record DriverSetup(
        int number,
        String name,
        Settings settings,
        MasterUrl master,
        ClusterManager manager,
        EventLoop loop,
        Function<RpcSettings, RpcEnv> rpc,
        ApplicationLoader code,
        Cores.Factory cores,
        Supplier<ProcessMemory> memory,
        List<EventSubscriber> subscribers,
        OpenApplications shown,
        Supplier<Optional<RackResolver>> racks,
        LazyStores stores,
        Optional<Executor> answering) {}
