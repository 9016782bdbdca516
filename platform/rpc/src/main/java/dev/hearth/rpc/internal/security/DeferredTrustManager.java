package dev.hearth.rpc.internal.security;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trust manager that accepts every certificate, because processes use self-signed certificates. TLS verifies that the
 * remote process holds the private key. The mutual proof, which follows, covers the hash of the certificate and so
 * authenticates it. Immutable.
 */
final class DeferredTrustManager extends X509ExtendedTrustManager {
    private final X509Certificate own;

    /**
     * Creates a trust manager. {@code own} is the certificate of this process. The process sends it to clients as the
     * only issuer whose certificates it accepts. Browsers then do not offer the certificates of their users.
     */
    DeferredTrustManager(X509Certificate own) {
        this.own = own;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[] {own};
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
