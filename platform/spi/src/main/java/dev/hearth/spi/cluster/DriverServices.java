package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/** Services of an application's driver that its scheduler backend may use. */
@ProviderType
public interface DriverServices {
    /**
     * Event loop that owns the application's state. The engine calls the backend on this loop, and the backend may
     * schedule its own work on it.
     */
    EventLoop loop();

    /** Listener to which the backend reports events of executors. Call it on {@link #loop()} only. */
    ExecutorListener listener();

    /**
     * Endpoint at which executors in other processes register. The first call opens the driver's port, so backends
     * whose executors run inside the driver must not call it.
     */
    EndpointUri driverEndpoint();

    /**
     * Settings of executors in other processes. Their launch orders need only {@link
     * ExecutorOrders#settingsToConnect}; connected executors get the others from the driver. They
     * contain the application's own secret instead of the cluster's, so they must be passed only over authenticated
     * connections, standard input or files of mode 0600.
     */
    Settings executorSettings();

    /**
     * Needs of each executor of the profile {@code id}. Profiles do not change, and every id in a call of {@link
     * SchedulerBackend#want} has one.
     */
    ExecutorProfile profile(ProfileId id);

    /**
     * Sets the credentials of one kind for executors in other processes, in place of earlier ones of the kind. The
     * driver keeps the latest of each kind and sends it to all executors: when they register, and when it changes. Their
     * bundles receive it as {@link dev.hearth.spi.application.CredentialSink}. Executors in the driver's process have
     * what the process has. Call it on {@link #loop()} only. Fails with {@code BAD_ARGUMENT} if the kind has no name or
     * there is too much of it.
     */
    void credentials(String kind, Bytes content);

    /** Message system of the driver process. The first call opens it. */
    RpcEnv rpc();

    /** Host that starts executors inside the driver's process, for backends such as that of {@code local[2]}. */
    ExecutorHost executorHost();
}
