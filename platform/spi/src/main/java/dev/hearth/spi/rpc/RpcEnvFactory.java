package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/** Opens the message system of a process. A service, so that a process that sends nothing loads none. */
@ProviderType
public interface RpcEnvFactory {
    /** Opens an env; fails with {@code PORT_IN_USE} if the port to listen on is taken. */
    RpcEnv open(RpcSettings settings);
}
