package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.TaskThreads;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.util.function.Function;

/**
 * Everything a driver is given: its number in this process, who it is, where it runs, its loop, how to open the message system when it is first needed,
 * and threads for executors in this process.
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
        TaskThreads.Factory threads) {}
