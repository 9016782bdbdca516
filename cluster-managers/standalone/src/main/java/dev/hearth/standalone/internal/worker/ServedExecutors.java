package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.shuffle.ShuffleServiceSettings;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Adds the orders about the shuffle service of this worker to those of executors whose map outputs it takes over.
 * {@code service} is empty if the worker has none.
 */
public record ServedExecutors(Optional<ShuffleService> service) {
    /** A worker without a shuffle service. */
    public static final ServedExecutors NONE = new ServedExecutors(Optional.empty());

    /**
     * The order without what only a worker may say about shuffle services. Fails with {@code BAD_SETTING} if its application
     * asks for a shuffle service and this worker has none.
     */
    LaunchExecutor checked(LaunchExecutor order) {
        if (isAsked(order.settings()) && service.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(ShuffleServiceSettings.ENABLED.name() + ": true for "
                    + order.application() + ", but this worker has"
                    + " no shuffle service (expected: the same setting for application and worker); set it in"
                    + " conf/hearth-defaults.conf of the workers, or leave it out of the application");
        }
        if (!order.settings().containsKey(ShuffleServiceOrders.KEY)) {
            return order;
        }
        Map<String, String> settings = new LinkedHashMap<>(order.settings());
        settings.remove(ShuffleServiceOrders.KEY);
        return order.withSettings(settings);
    }

    /**
     * The process {@code child} with the place of its map outputs, if the application of {@code order} asks for a shuffle
     * service. Creates directories, so it waits for disks. Any thread may call.
     */
    ChildSpec prepared(ChildSpec child, LaunchExecutor order, WorkerSpec.Children children) {
        if (service.isEmpty() || !isAsked(order.settings())) {
            return child;
        }
        Optional<Secret> secret = secret(children.executor(order.settings()));
        return child.withOrders(
                service.get().admit(order.application(), order.driver(), secret).asSettings());
    }

    private static boolean isAsked(Map<String, String> settings) {
        return new SettingsReader(Settings.empty().with("the application", settings))
                .read(ShuffleServiceSettings.ENABLED);
    }

    /** The secret that the executor, and every other process of its application, proves. */
    private static Optional<Secret> secret(Map<String, String> ofExecutor) {
        return RpcSettings.connecting(Settings.empty().with("the application", ofExecutor))
                .security()
                .secret();
    }
}
