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
 * What a connection goes through: TLS between two certificates, known by their SHA-256, or nothing. The hash of the side
 * that showed none is empty. Two sides that see different tunnels have somebody between them.
 */
public record ChannelBinding(boolean encrypted, Bytes connecting, Bytes accepting) {
    /** A connection everybody on the way can read and change. */
    public static final ChannelBinding NONE = new ChannelBinding(false, Bytes.EMPTY, Bytes.EMPTY);

    /** The tunnel of a finished handshake, as the connecting side sees it. */
    public static ChannelBinding connecting(SSLSession session) {
        return new ChannelBinding(true, own(session), other(session));
    }

    /** The tunnel of a finished handshake, as the accepting side sees it. */
    public static ChannelBinding accepting(SSLSession session) {
        return new ChannelBinding(true, other(session), own(session));
    }

    /** Whether both sides are known by something that a proof can pin; there is nothing to pin without encryption. */
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
        } catch (GeneralSecurityException missing) { // every Java 17 has it, and the certificate was read from bytes
            throw new IllegalStateException("certificate: cannot be hashed (expected: SHA-256)", missing);
        }
    }
}
