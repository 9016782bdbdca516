package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.rpc.internal.http.HttpLaneSettings;
import dev.hearth.rpc.internal.http.HttpWhiteboard;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Opens RPC environments over TCP, each with its own threads. They stay open when the bundle of this factory stops.
 * Under OSGi, open environments are registered as services ({@link RpcEnvRegistration}); the factory also works without
 * OSGi.
 */
@Component(service = RpcEnvFactory.class)
public final class NettyRpcEnvFactory implements RpcEnvFactory {
    private final Optional<BundleContext> bundles;
    private final HttpWhiteboard whiteboard;
    private final Optional<KernelInfo> kernel;
    private final Optional<OnDemandBundles> onDemand;

    public NettyRpcEnvFactory() {
        this.bundles = Optional.empty();
        this.whiteboard = new HttpWhiteboard();
        this.kernel = Optional.empty();
        this.onDemand = Optional.empty();
    }

    @Activate
    public NettyRpcEnvFactory(
            BundleContext bundles,
            @Reference HttpWhiteboard whiteboard,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable KernelInfo kernel,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable OnDemandBundles onDemand) {
        this.bundles = Optional.of(bundles);
        this.whiteboard = whiteboard;
        this.kernel = Optional.ofNullable(kernel);
        this.onDemand = Optional.ofNullable(onDemand);
    }

    @Override
    public RpcEnv open(RpcSettings settings) {
        HttpLaneSettings conditions = new HttpLaneSettings(
                kernel.map(info -> "Hearth " + info.role()).orElse("Hearth"),
                kernel.map(KernelInfo::version).orElse(""),
                kernel.map(KernelInfo::startedAt),
                settings);
        NettyRpcEnv env =
                new NettyRpcEnv(settings, Preamble.OURS, conditions, whiteboard, new EndpointDemand(onDemand));
        bundles.ifPresent(context -> RpcEnvRegistration.register(env, context));
        return env;
    }
}
