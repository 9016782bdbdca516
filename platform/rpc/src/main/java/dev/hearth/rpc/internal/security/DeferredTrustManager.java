package dev.hearth.rpc.internal.security;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Takes every certificate, as nobody vouches for those that processes make themselves: that the other side holds its key is
 * checked by TLS, and whose it is by the proof of the secret, which covers its hash. Immutable.
 */
final class DeferredTrustManager extends X509ExtendedTrustManager {
    private final X509Certificate own;

    /** With {@code own} as the one issuer named, so that browsers do not offer the certificates of their users. */
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
