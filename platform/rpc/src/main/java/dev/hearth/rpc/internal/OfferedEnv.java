package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcEnv;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening env as a service, from its opening until it begins to close or the framework stops. Any thread may call. */
final class OfferedEnv {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedEnv.class);

    private final ServiceRegistration<RpcEnv> registration;
    private final AtomicBoolean offered = new AtomicBoolean(true);

    private OfferedEnv(ServiceRegistration<RpcEnv> registration) {
        this.registration = registration;
    }

    static void offer(NettyRpcEnv env, BundleContext context) {
        OfferedEnv offered = new OfferedEnv(context.registerService(RpcEnv.class, env, null));
        env.whenClosing(offered::takeBack);
    }

    private void takeBack() {
        if (offered.compareAndSet(true, false)) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                LOG.debug("env: no longer a service, as its bundle has stopped", gone);
            }
        }
    }
}
