package dev.hearth.rpc.internal.http;

import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;

/** Configuration of a lane: its name and version for the index page, and the settings of its env. Immutable. */
public record HttpLaneSettings(String name, String version, RpcSettings settings) {
    RpcSecurity security() {
        return settings.security();
    }

    /** Whether only this machine can reach the port and no token is required. */
    boolean guardsLoopback() {
        return security().httpToken().isEmpty()
                && settings.listen().map(RpcSettings.Listen::isLoopback).orElse(false);
    }
}
