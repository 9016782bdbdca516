package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS context, and the texts of which it was made. Immutable; equal only to itself, as a client belongs to one context.
 * Its text form contains no key.
 */
final class Tls {
    private static final TrustManager ANY = new AnyServer();

    private final Texts texts;
    private final SSLContext context;

    /** PEM texts, empty where missing: the certificates to trust, the client's certificate, and its key. */
    record Texts(String authorities, String certificate, String key) {
        @Override
        public String toString() {
            return "texts of certificates";
        }
    }

    private Tls(Texts texts, SSLContext context) {
        this.texts = texts;
        this.context = context;
    }

    /** Makes a context. Without authorities, those of Java count. Fails with the rule that a text breaks. */
    static Tls of(Texts texts, boolean trustsAll) throws IOException {
        try {
            TrustManager[] trust = trustsAll ? new TrustManager[] {ANY} : trusting(texts.authorities);
            KeyManager[] keys = texts.certificate.isEmpty() ? null : keys(texts);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return new Tls(texts, context);
        } catch (GeneralSecurityException malformed) {
            throw new IOException("certificates of the API server's authority: malformed (expected: PEM)", malformed);
        }
    }

    boolean isOf(Texts others) {
        return texts.equals(others);
    }

    SSLContext context() {
        return context;
    }

    private static TrustManager @Nullable [] trusting(String authorities) throws IOException, GeneralSecurityException {
        if (authorities.isBlank()) {
            return null; // those of Java
        }
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        int number = 0;
        ByteArrayInputStream text = new ByteArrayInputStream(authorities.getBytes(UTF_8));
        for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(text)) {
            trusted.setCertificateEntry("authority-" + number++, one);
        }
        if (number == 0) {
            throw new GeneralSecurityException("no certificate");
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private static KeyManager[] keys(Texts texts) throws IOException {
        try {
            ByteArrayInputStream text = new ByteArrayInputStream(texts.certificate.getBytes(UTF_8));
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(text)
                    .toArray(Certificate[]::new);
            KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
            own.load(null, null);
            char[] none = new char[0]; // the store is in memory alone
            own.setKeyEntry("client", PrivateKeyText.read(texts.key), none, chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(own, none);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IllegalArgumentException malformed) {
            // without the words of the reader, which may quote the key
            throw new IOException("client's certificate and key: malformed (expected: PEM of both, with a key of RSA or"
                    + " EC that has no password)");
        }
    }

    /** Trusts each server, of any name. */
    private static final class AnyServer extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // not used by clients
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // the user demands it
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            // not used by clients
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            // the user demands it
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            // not used by clients
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            // the user demands it
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
