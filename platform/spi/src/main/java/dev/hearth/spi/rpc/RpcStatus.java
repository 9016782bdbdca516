package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/** Status of an env, for display and metrics. A service while the env is open, whether or not it listens. */
@ProviderType
public interface RpcStatus {
    /** Current state. Its numbers are read one by one, so they need not be consistent with each other. */
    RpcSnapshot snapshot();
}
