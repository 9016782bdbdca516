package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Opens envs over TCP; each has threads of its own and outlives this factory, if it must. Usable without OSGi too; with it,
 * open envs are services ({@link OfferedEnv}).
 */
@Component(service = RpcEnvFactory.class)
public final class NettyRpcEnvFactory implements RpcEnvFactory {
    private final Optional<BundleContext> bundles;

    public NettyRpcEnvFactory() {
        this.bundles = Optional.empty();
    }

    @Activate
    public NettyRpcEnvFactory(BundleContext bundles) {
        this.bundles = Optional.of(bundles);
    }

    @Override
    public RpcEnv open(RpcSettings settings) {
        NettyRpcEnv env = new NettyRpcEnv(settings, Preamble.OURS);
        bundles.ifPresent(context -> OfferedEnv.offer(env, context));
        return env;
    }
}
