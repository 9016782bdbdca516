package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Opens the message system of a process. A service, so that a process that sends no messages does not load a message
 * system.
 */
@ProviderType
public interface RpcEnvFactory {
    /** Opens an env; fails with {@code PORT_IN_USE} if the port to listen on is taken. */
    RpcEnv open(RpcSettings settings);
}
