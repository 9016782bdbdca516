package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
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
 * Everything a driver is given: its number in this process, who it is, where it runs, its loop, how to open the message system
 * when it is first needed, the cores of executors in this process and the memory that all of them share, who else wants to know
 * what happens, and where it is shown. {@code answering} runs its code beside tasks, where it has no threads for that, as in a
 * simulation.
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
        Optional<Executor> answering) {}
