package dev.hearth.rpc.internal;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OSGi service registrations of an RPC environment: its status and its metrics. An environment with a port is
 * registered itself too, so that other bundles can add endpoints. Lasts until the environment begins to close or the
 * OSGi framework stops. Thread-safe.
 */
final class RpcEnvRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(RpcEnvRegistration.class);

    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();
    private final AtomicBoolean registered = new AtomicBoolean(true);

    private RpcEnvRegistration(NettyRpcEnv env, BundleContext context) {
        registrations.add(context.registerService(RpcStatus.class, env, null));
        registrations.add(context.registerService(MetricSource.class, new RpcMetrics(env), null));
        if (env.address().isPresent()) {
            registrations.add(context.registerService(RpcEnv.class, env, null));
        }
    }

    static void register(NettyRpcEnv env, BundleContext context) {
        RpcEnvRegistration registration = new RpcEnvRegistration(env, context);
        env.whenClosing(registration::unregister);
    }

    private void unregister() {
        if (!registered.compareAndSet(true, false)) {
            return;
        }
        for (ServiceRegistration<?> registration : registrations) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                LOG.debug("env: its service is unregistered already, as its bundle has stopped", gone);
            }
        }
    }
}
