package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 hashes of the certificates of both sides of a TLS connection; the hash of a side without a certificate is
 * empty. The mutual proof of the shared secret covers these hashes. If the two sides see different certificates, there
 * is a man in the middle, and the proof fails.
 */
public record ChannelBinding(boolean encrypted, Bytes connecting, Bytes accepting) {
    /** Binding of a connection without encryption, which has no certificates. */
    public static final ChannelBinding NONE = new ChannelBinding(false, Bytes.EMPTY, Bytes.EMPTY);

    /** Creates the channel binding of the connecting process from {@code session}, its finished TLS handshake. */
    public static ChannelBinding connecting(SSLSession session) {
        return new ChannelBinding(true, own(session), other(session));
    }

    /** Creates the channel binding of the accepting process from {@code session}, its finished TLS handshake. */
    public static ChannelBinding accepting(SSLSession session) {
        return new ChannelBinding(true, other(session), own(session));
    }

    /**
     * Whether the mutual proof can cover the certificates of both sides: both have one. Also true without encryption,
     * where there are no certificates.
     */
    boolean isPinnable() {
        return !encrypted || (connecting.size() > 0 && accepting.size() > 0);
    }

    private static Bytes own(SSLSession session) {
        return hash(session.getLocalCertificates());
    }

    private static Bytes other(SSLSession session) {
        try {
            return hash(session.getPeerCertificates());
        } catch (SSLPeerUnverifiedException showedNone) {
            return Bytes.EMPTY;
        }
    }

    private static Bytes hash(Certificate @Nullable [] chain) {
        return Optional.ofNullable(chain)
                .filter(all -> all.length > 0)
                .map(all -> hash(all[0]))
                .orElse(Bytes.EMPTY);
    }

    static Bytes hash(Certificate certificate) {
        try {
            return Bytes.owning(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (GeneralSecurityException missing) {
            // cannot happen: every Java 17 supports SHA-256, and the certificate was parsed from bytes
            throw new IllegalStateException("certificate: cannot be hashed (expected: SHA-256)", missing);
        }
    }
}
