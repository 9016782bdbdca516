package dev.hearth.spi.monitor;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.net.RpcAddress;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Proxy of a cluster in front of the monitoring ports of its applications, such as that of YARN. A service of the
 * manager's bundle. Any thread may call; calls must not block.
 */
@ConsumerType
@FunctionalInterface
public interface MonitoringProxy {
    /** The publication of {@code application}; empty if the proxy does not publish it. */
    Optional<Publication> publication(String application);

    /** Publication of one application's monitoring port. */
    interface Publication {
        /** The gate of the port, which lets the proxy in. Asked before the port opens. */
        HttpGate gate();

        /** The port is open at {@code address}. Returns the URL at which users find it. */
        String opened(RpcAddress address);

        /** The port at {@code address} has closed. */
        void closed(RpcAddress address);
    }
}
