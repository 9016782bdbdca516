package dev.hearth.rpc.internal.security;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Certificate of this process and trusted certificates, for TLS 1.3. Sessions are never resumed. Every connection thus
 * presents its current certificates, which the mutual proof covers. Immutable and thread-safe.
 */
final class Credentials {
    private static final String VERSION = "TLSv1.3";
    /**
     * Cipher suites, in order of preference. All three are equally secure; the first is the fastest on processors with
     * AES instructions.
     */
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    /**
     * Lifetime of a TLS session. It exceeds the limit of seven days in RFC 8446, so that the JDK issues no session
     * tickets.
     */
    private static final int SESSION_SECONDS = 8 * 24 * 60 * 60;

    private final SSLContext context;
    private final boolean checksHosts;

    private Credentials(SSLContext context, boolean checksHosts) {
        this.context = context;
        this.checksHosts = checksHosts;
    }

    /**
     * Creates credentials that present {@code own} and verify remote certificates with {@code trust}. With
     * {@code checksHosts}, the remote certificate must match the host name.
     */
    static Credentials of(Identity own, X509ExtendedTrustManager trust, boolean checksHosts, SecureRandom random) {
        try {
            SSLContext context = SSLContext.getInstance(VERSION);
            context.init(new KeyManager[] {new SingleIdentityKeyManager(own)}, new TrustManager[] {trust}, random);
            context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return new Credentials(context, checksHosts);
        } catch (GeneralSecurityException missing) { // cannot happen: every Java 17 supports TLS 1.3
            throw new IllegalStateException("TLS: cannot be set up (expected: " + VERSION + ")", missing);
        }
    }

    SSLEngine accepting() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters(engine);
        parameters.setUseCipherSuitesOrder(true);
        // client certificates are requested but not required, because browsers use the same port
        parameters.setWantClientAuth(true);
        engine.setSSLParameters(parameters);
        return engine;
    }

    SSLEngine connecting(String host, int port) {
        SSLEngine engine = checksHosts ? context.createSSLEngine(host, port) : context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = parameters(engine);
        if (checksHosts) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static SSLParameters parameters(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {VERSION});
        parameters.setCipherSuites(CIPHERS.clone());
        return parameters;
    }
}
