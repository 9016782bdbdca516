package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.live.Live;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Factory of RPC environments that starts the bundle with the real factory at the first {@link #open}. A process that
 * never sends messages thus does not load that bundle. Guarded by its own lock; lives as long as the OSGi framework.
 */
final class LazyRpcEnvFactory implements RpcEnvFactory {
    private static final Logger LOG = LoggerFactory.getLogger(LazyRpcEnvFactory.class);
    private static final String NOT_OURS = "(!(" + Constants.SERVICE_BUNDLEID + "=" + Constants.SYSTEM_BUNDLE_ID + "))";

    private final LiveServices services;
    private final OnDemandBundleStarter reserves;
    private final BundleUsageRegistry uses;
    private @Nullable Live<RpcEnvFactory> started; // guarded by this
    private @Nullable Bundle held; // guarded by this

    private LazyRpcEnvFactory(LiveServices services, OnDemandBundleStarter reserves, BundleUsageRegistry uses) {
        this.services = services;
        this.reserves = reserves;
        this.uses = uses;
    }

    /**
     * Registers this factory if an on-demand bundle group provides RPC environments. This factory has the lowest
     * service ranking, so the real factory is preferred once that one is registered.
     */
    static void register(
            BundleContext context, LiveServices services, OnDemandBundleStarter reserves, BundleUsageRegistry uses) {
        if (reserves.offersService(RpcEnvFactory.class.getName())) {
            context.registerService(
                    RpcEnvFactory.class,
                    new LazyRpcEnvFactory(services, reserves, uses),
                    FrameworkUtil.asDictionary(Map.of(Constants.SERVICE_RANKING, Integer.MIN_VALUE)));
        }
    }

    @Override
    public RpcEnv open(RpcSettings settings) {
        return started().call(factory -> {
            hold(FrameworkUtil.getBundle(factory.getClass()));
            return factory.open(settings);
        });
    }

    private synchronized Live<RpcEnvFactory> started() {
        Live<RpcEnvFactory> live = started;
        if (live == null) {
            reserves.startForService(RpcEnvFactory.class.getName());
            live = services.live(RpcEnvFactory.class, NOT_OURS);
            started = live;
        }
        return live;
    }

    /**
     * Records that this process uses {@code bundle}, which provides RPC environments, until the process ends. The
     * bundle is thus never replaced.
     */
    private synchronized void hold(Bundle bundle) {
        if (!bundle.equals(held)) {
            boolean taken =
                    uses.of(bundle).takeForGood("messages of this process").isPresent();
            LOG.debug("messages: provided by {}, held until the process ends: {}", bundle, taken);
            held = bundle;
        }
    }
}
