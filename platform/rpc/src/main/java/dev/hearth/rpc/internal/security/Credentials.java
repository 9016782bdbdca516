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
 * An identity and whom to trust, ready for TLS 1.3. Immutable; any thread may call. Sessions are never resumed: every
 * connection shows its certificates, so that a proof pins those and no older ones.
 */
final class Credentials {
    private static final String VERSION = "TLSv1.3";
    /** All three are as good; the first is the fastest where the processor knows AES. */
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    /** Sessions that would live longer than the seven days of RFC 8446 get no ticket. */
    private static final int SESSION_SECONDS = 8 * 24 * 60 * 60;

    private final SSLContext context;
    private final boolean checksHosts;

    private Credentials(SSLContext context, boolean checksHosts) {
        this.context = context;
        this.checksHosts = checksHosts;
    }

    /** Shows {@code own}, and lets {@code trust} judge the other side; with {@code checksHosts} its host has to match. */
    static Credentials of(Identity own, X509ExtendedTrustManager trust, boolean checksHosts, SecureRandom random) {
        try {
            SSLContext context = SSLContext.getInstance(VERSION);
            context.init(new KeyManager[] {new SingleIdentityKeyManager(own)}, new TrustManager[] {trust}, random);
            context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return new Credentials(context, checksHosts);
        } catch (GeneralSecurityException missing) { // every Java 17 has it
            throw new IllegalStateException("TLS: cannot be set up (expected: " + VERSION + ")", missing);
        }
    }

    SSLEngine accepting() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters(engine);
        parameters.setUseCipherSuitesOrder(true);
        parameters.setWantClientAuth(true); // not needed: browsers come to the same port
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
