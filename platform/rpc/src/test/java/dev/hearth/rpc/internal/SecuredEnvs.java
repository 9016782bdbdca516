package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.rpc.Secret;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

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

    /** TLS without a certificate of its own, which accepts any certificate. */
    static SSLContext anonymous() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        return context;
    }

    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}
    }
}
