package dev.hearth.yarn.internal.relay;

import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.Secret;
import java.util.Optional;

/** Scope in which a driver and its relay speak, with a secret of its own if processes authenticate. Stateless. */
public final class RelayScope {
    private RelayScope() {}

    /** The scope of a driver for the relay of {@code application}. Without a secret, that of the whole process. */
    public static RpcScope ofDriver(RpcEnv rpc, String application, Optional<Secret> secret) {
        return secret.isPresent() ? rpc.scope(name(application), secret) : rpc;
    }

    /** The scope of a relay, whose process has the secret; {@code authenticates} says whether there is one. */
    static RpcScope ofRelay(RpcEnv rpc, String application, boolean authenticates) {
        return authenticates ? rpc.scope(name(application), Optional.empty()) : rpc;
    }

    private static String name(String application) {
        return RelayProtocol.SCOPE + "-" + application;
    }
}
