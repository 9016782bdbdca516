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
 * An env as services, from its opening until it begins to close or the framework stops: what it does and its numbers, and
 * where it listens the env itself, so that others can add endpoints. Any thread may call.
 */
final class RpcEnvRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(RpcEnvRegistration.class);

    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();
    private final AtomicBoolean offered = new AtomicBoolean(true);

    private RpcEnvRegistration(NettyRpcEnv env, BundleContext context) {
        registrations.add(context.registerService(RpcStatus.class, env, null));
        registrations.add(context.registerService(MetricSource.class, new RpcMetrics(env), null));
        if (env.address().isPresent()) {
            registrations.add(context.registerService(RpcEnv.class, env, null));
        }
    }

    static void offer(NettyRpcEnv env, BundleContext context) {
        RpcEnvRegistration offered = new RpcEnvRegistration(env, context);
        env.whenClosing(offered::takeBack);
    }

    private void takeBack() {
        if (!offered.compareAndSet(true, false)) {
            return;
        }
        for (ServiceRegistration<?> registration : registrations) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                LOG.debug("env: no longer a service, as its bundle has stopped", gone);
            }
        }
    }
}
