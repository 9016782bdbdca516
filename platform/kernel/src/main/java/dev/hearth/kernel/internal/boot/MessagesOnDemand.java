package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.live.Uses;
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
 * Stands for the message system until somebody opens it: a process that sends nothing neither installs nor loads one. Guarded by
 * its own lock; from the start of the framework to its end.
 */
final class MessagesOnDemand implements RpcEnvFactory {
    private static final Logger LOG = LoggerFactory.getLogger(MessagesOnDemand.class);
    private static final String NOT_OURS = "(!(" + Constants.SERVICE_BUNDLEID + "=" + Constants.SYSTEM_BUNDLE_ID + "))";

    private final LiveServices services;
    private final HeldReserves reserves;
    private final Uses uses;
    private @Nullable Live<RpcEnvFactory> started; // guarded by this
    private @Nullable Bundle held; // guarded by this

    private MessagesOnDemand(LiveServices services, HeldReserves reserves, Uses uses) {
        this.services = services;
        this.reserves = reserves;
        this.uses = uses;
    }

    /** Offers one, where a reserve has it; others that come are preferred. */
    static void register(BundleContext context, LiveServices services, HeldReserves reserves, Uses uses) {
        if (reserves.offers(RpcEnvFactory.class)) {
            context.registerService(
                    RpcEnvFactory.class,
                    new MessagesOnDemand(services, reserves, uses),
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
            reserves.startFor(RpcEnvFactory.class);
            live = services.live(RpcEnvFactory.class, NOT_OURS);
            started = live;
        }
        return live;
    }

    /** What was opened once works as long as the process does, and so does its bundle. */
    private synchronized void hold(Bundle bundle) {
        if (!bundle.equals(held)) {
            boolean taken =
                    uses.of(bundle).takeForGood("messages of this process").isPresent();
            LOG.debug("messages: by {}, held for good: {}", bundle, taken);
            held = bundle;
        }
    }
}
