package dev.hearth.spi.rpc;

import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Message system of a process. Opens at most one port, shared by messages, bulk data and HTTP.
 * <p>An RPC environment is itself the scope {@link #DEFAULT_SCOPE}, with the secret of its settings; applications get
 * their own scopes. Opened through {@link RpcEnvFactory}; the caller of {@code open} owns and closes it. Any thread may
 * call.
 */
@ProviderType
public interface RpcEnv extends RpcScope, RpcStatus {
    /** Name of the scope that every process has besides the scopes of applications. */
    String DEFAULT_SCOPE = "process";
    /** Words in the message of a {@code PROTOCOL_MISMATCH} which say that the other side is a server of HTTP. */
    String LOOKS_LIKE_HTTP = "what looks like HTTP";

    /** Address at which other processes reach this RPC environment; empty if it does not listen. */
    Optional<RpcAddress> address();

    /**
     * Opens a scope named {@code name}, in addition to {@link #DEFAULT_SCOPE}. If {@code secret} is empty, the scope
     * uses the secret of this RPC environment's settings. Fails if the name is in use.
     */
    RpcScope scope(String name, Optional<Secret> secret);

    /**
     * Passes HTTP requests for paths below {@code prefix} on the port of this RPC environment to {@code handler}, until
     * the returned registration is closed.
     */
    Registration serve(String prefix, HttpHandler handler);

    /** Closes all scopes, connections and the port. Pending asks fail with {@code PEER_LOST}. */
    @Override
    void close();
}
