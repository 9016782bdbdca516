package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.rpc.Secret;
import java.time.Duration;
import java.util.Optional;

/** Settings of envs with a secret, and TLS for clients that do not know it. */
final class SecuredEnvs {
    private SecuredEnvs() {}

    static RpcSecurity with(Secret secret) {
        return new RpcSecurity(Optional.of(secret), true, false, Optional.empty(), Optional.empty(), false);
    }

    static RpcSettings settings(boolean listening, RpcSecurity security) {
        return settings(listening, security, RpcLimits.DEFAULTS, Duration.ofSeconds(5));
    }

    static RpcSettings settings(boolean listening, RpcSecurity security, RpcLimits limits, Duration handshake) {
        return new RpcSettings(
                listening ? Optional.of(new RpcSettings.Listen("127.0.0.1", 0)) : Optional.empty(),
                security,
                limits.withMessageBytesMax(TestEnvs.MEBIBYTE),
                RpcTimes.DEFAULTS.withHandshake(handshake));
    }
}
