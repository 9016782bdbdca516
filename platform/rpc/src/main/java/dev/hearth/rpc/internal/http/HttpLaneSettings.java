package dev.hearth.rpc.internal.http;

import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;

/** Under what conditions a lane answers: who it says it is, and the settings of its env. Immutable. */
public record HttpLaneSettings(String name, String version, RpcSettings settings) {
    RpcSecurity security() {
        return settings.security();
    }

    /** Whether only browsers and programs of this machine can reach the port, and no token tells them apart. */
    boolean guardsLoopback() {
        return security().httpToken().isEmpty()
                && settings.listen().map(RpcSettings.Listen::isLoopback).orElse(false);
    }
}
