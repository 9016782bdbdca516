package dev.hearth.spi.rpc;

import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What a process sends and receives with: at most one listening port, shared by messages, bulk data and HTTP.
 * <p>The env itself is the scope {@link #DEFAULT_SCOPE}, whose secret is that of its settings; applications get scopes of
 * their own. Opened through {@link RpcEnvFactory} and owned by whoever asked for it. Any thread may call.
 */
@ProviderType
public interface RpcEnv extends RpcScope, RpcStatus {
    /** The scope of the process itself. */
    String DEFAULT_SCOPE = "process";

    /** Where others reach this process; empty when it does not listen. */
    Optional<RpcAddress> address();

    /**
     * Opens a scope of its own, with its own secret; without one, the secret of the env's settings proves it. Refuses a
     * name that is open already.
     */
    RpcScope scope(String name, Optional<Secret> secret);

    /** Answers HTTP requests whose path begins with {@code prefix}, on the port of this env, until closed. */
    Registration serve(String prefix, HttpHandler handler);

    /** Closes every scope, connection and port. Asks under way fail with {@code PEER_LOST}. */
    @Override
    void close();
}
