package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Opens the RPC environment, that is, the message system of a process. The factory is an OSGi service, so that a
 * process that sends no messages loads no message system.
 */
@ProviderType
public interface RpcEnvFactory {
    /** Opens an RPC environment; fails with {@code PORT_IN_USE} if the port to listen on is taken. */
    RpcEnv open(RpcSettings settings);
}
