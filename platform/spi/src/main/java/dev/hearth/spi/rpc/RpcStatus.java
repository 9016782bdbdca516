package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Status of an RPC environment, for display and metrics. Registered as a service while the environment is open, whether
 * or not it listens.
 */
@ProviderType
public interface RpcStatus {
    /**
     * Current state of the RPC environment. Its numbers are read one by one while messages flow, so they may be
     * inconsistent with each other.
     */
    RpcSnapshot snapshot();
}
