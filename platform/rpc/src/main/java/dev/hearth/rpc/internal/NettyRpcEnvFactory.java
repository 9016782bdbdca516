package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import org.osgi.service.component.annotations.Component;

/** Opens envs over TCP; each has threads of its own and outlives this factory, if it must. Usable without OSGi too. */
@Component(service = RpcEnvFactory.class)
public final class NettyRpcEnvFactory implements RpcEnvFactory {
    @Override
    public RpcEnv open(RpcSettings settings) {
        return new NettyRpcEnv(settings, Preamble.OURS);
    }
}
