package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.fetch.HostOutputs;
import dev.hearth.engine.internal.protocol.DriverProtocol.ServedBy;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.util.Optional;

/**
 * The shuffle service of an executor's host, and the scope in which services of all hosts serve the application.
 * Immutable.
 */
public record ServiceLink(ShuffleServiceOrders orders, RpcScope scope) {
    /** The link that {@code settings}, those of the executor's process, ask for; empty if there is no service. */
    public static Optional<ServiceLink> open(Settings settings, RpcEnv rpc) {
        return ShuffleServiceOrders.find(settings)
                .map(orders -> new ServiceLink(orders, rpc.scope(orders.scope(), Optional.empty())));
    }

    /** The outputs of the service on this host. */
    HostOutputs outputs() {
        return new HostOutputs(
                orders.holder(), new MapOutputDirectory(orders.directories().get(0)));
    }

    ServedBy registered() {
        return new ServedBy(orders.holder().value(), orders.address().toString(), orders.scope());
    }
}
