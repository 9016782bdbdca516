package dev.hearth.rpc.internal.http;

import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import java.time.Instant;
import java.util.Optional;

/**
 * Configuration of the HTTP server of one port: name, version and start time of its process for the index page, and the
 * settings of its RPC environment. Immutable.
 */
public record HttpLaneSettings(String name, String version, Optional<Instant> since, RpcSettings settings) {
    /** Configuration for a process whose start time is not known. */
    public HttpLaneSettings(String name, String version, RpcSettings settings) {
        this(name, version, Optional.empty(), settings);
    }

    RpcSecurity security() {
        return settings.security();
    }

    /**
     * Whether the port needs protection against web pages in a browser: only this machine can reach it, and no token is
     * required.
     */
    boolean guardsLoopback() {
        return security().httpToken().isEmpty()
                && settings.listen().map(RpcSettings.Listen::isLoopback).orElse(false);
    }
}
