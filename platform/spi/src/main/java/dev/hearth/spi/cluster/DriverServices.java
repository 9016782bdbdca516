package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/** What an application's driver lends to its scheduler backend. */
@ProviderType
public interface DriverServices {
    /** The loop that owns the application; backends run on it and are called on it. */
    EventLoop loop();

    /** Who hears of executors; called on {@link #loop()}. */
    ExecutorListener listener();

    /** Where executors in processes of their own register. Opens the driver's port: not for in-process executors. */
    EndpointUri driverEndpoint();

    /**
     * What executors in processes of their own are to be told beside their orders: the settings of the application, with a
     * secret of its own in place of the cluster's. To be handed on by ways that are secret: proved connections, standard input.
     */
    Settings executorSettings();

    /** The message system of this process. Opened by the first call. */
    RpcEnv rpc();

    /** Starts executors within this process. */
    ExecutorHost executorHost();
}
