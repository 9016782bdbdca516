package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/** Opens the message system of a process; a service, so that a process which sends nothing never pays for one. */
@ProviderType
public interface RpcEnvFactory {
    /** Opens an env; fails with {@code PORT_IN_USE} when it is to listen on a port that somebody else has. */
    RpcEnv open(RpcSettings settings);
}
