package dev.hearth.itests.bench;

import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import java.util.Optional;

/** Opens the env of a program. The factory is found by the name of its class, so that only spi is compiled against. */
final class Envs {
    private static final String FACTORY = "dev.hearth.rpc.internal.NettyRpcEnvFactory";

    private Envs() {}

    static RpcEnv listening(int port) throws ReflectiveOperationException {
        return open(Optional.of(new RpcSettings.Listen("127.0.0.1", port)));
    }

    static RpcEnv connecting() throws ReflectiveOperationException {
        return open(Optional.empty());
    }

    private static RpcEnv open(Optional<RpcSettings.Listen> listen) throws ReflectiveOperationException {
        RpcEnvFactory factory = Class.forName(FACTORY)
                .asSubclass(RpcEnvFactory.class)
                .getDeclaredConstructor()
                .newInstance();
        return factory.open(new RpcSettings(listen, RpcSecurity.NONE, RpcLimits.DEFAULTS, RpcTimes.DEFAULTS));
    }
}
