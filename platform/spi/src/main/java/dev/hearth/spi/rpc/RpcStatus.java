package dev.hearth.spi.rpc;

import org.osgi.annotation.versioning.ProviderType;

/** What an env is doing, for people and meters. A service while the env is open, whether or not it listens. */
@ProviderType
public interface RpcStatus {
    /** A picture of this moment; its numbers are read one after another, not at once. */
    RpcSnapshot snapshot();
}
