package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Access of this process to HTTP servers of a cluster, as their client: the token that it sends, whether connections are
 * encrypted, and the certificates that it trusts in place of those of the Java installation. Read from {@code
 * hearth.rest.token*} and {@code hearth.ssl.rpc.*}. Immutable.
 */
public record HttpAccess(Optional<Secret> token, boolean encrypted, Optional<Path> trusted, boolean trustedNetwork) {
    /** No token and no encryption. */
    public static final HttpAccess OPEN = new HttpAccess(Optional.empty(), false, Optional.empty(), false);

    public static HttpAccess from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        HttpAccess access = RpcSecurity.readAccess(in);
        in.finish();
        return access;
    }

    /** The same access by encrypted connections. */
    public HttpAccess encrypting() {
        return new HttpAccess(token, true, trusted, trustedNetwork);
    }

    public String scheme() {
        return encrypted ? "https" : "http";
    }

    /**
     * The value of the header {@code Authorization} for a server at {@code host}; empty without a token. Fails with {@code
     * NOT_AUTHENTICATED} if the token would cross a network that is not trusted without encryption.
     */
    public Optional<String> authorization(String host) {
        if (token.isPresent() && !encrypted && !trustedNetwork && !isLoopback(host)) {
            throw ErrorCode.NOT_AUTHENTICATED.failure(
                    "server " + host
                            + ": the token of hearth.rest.token would travel without encryption (expected: an encrypted"
                            + " connection); set hearth.ssl.rpc.trustCerts, or hearth.rpc.trustedNetwork=true where nobody listens");
        }
        return token.map(secret -> "Bearer " + secret.reveal());
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** The context for encrypted connections. Fails with {@code BAD_SETTING} if the certificates cannot be read. */
    public SSLContext tls() {
        try {
            if (trusted.isEmpty()) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trusting(trusted.get()).getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    RpcSecurity.TRUST + ": " + trusted.map(Path::toString).orElse("the trust store of Java")
                            + " cannot be read, " + unreadable.getMessage() + " (expected: certificates in PEM)",
                    unreadable);
        }
    }

    private static TrustManagerFactory trusting(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("trusted-" + number++, each);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }
}
