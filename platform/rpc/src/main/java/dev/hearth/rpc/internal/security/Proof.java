package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Shows that somebody knows a secret without telling it: HMAC-SHA-256 over who says it, what was agreed, the random bytes of
 * both sides and the certificates of both. A proof holds for one side of one connection. Stateless.
 */
final class Proof {
    /** How long a proof is. */
    static final int BYTES = 32;
    /** How long the random bytes of either side are. */
    static final int NONCE_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String LABEL = "hearth mutual proof 1";

    private Proof() {}

    /** Who makes a proof: in a reflected one, this is wrong. */
    enum Role {
        CONNECTING("connecting"),
        ACCEPTING("accepting");

        private final String written;

        Role(String written) {
            this.written = written;
        }
    }

    /** The proof of {@code role}; the nonces are those of the connecting and of the accepting side. */
    static Bytes make(Secret secret, Role role, ProofTerms terms, Bytes connecting, Bytes accepting) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
            add(mac, LABEL);
            add(mac, role.written);
            add(mac, terms.lane());
            add(mac, terms.scope());
            add(mac, String.valueOf(terms.version()));
            add(mac, connecting);
            add(mac, accepting);
            add(mac, terms.tunnel().encrypted() ? "tls" : "plain");
            add(mac, terms.tunnel().connecting());
            add(mac, terms.tunnel().accepting());
            return Bytes.owning(mac.doFinal());
        } catch (GeneralSecurityException missing) { // every Java 17 has it
            throw new IllegalStateException("proof: cannot be made (expected: " + ALGORITHM + ")", missing);
        }
    }

    /** Whether both are the same; takes as long whatever they hold. */
    static boolean same(Bytes one, Bytes other) {
        return MessageDigest.isEqual(one.toArray(), other.toArray());
    }

    private static void add(Mac mac, String part) {
        add(mac, Bytes.owning(part.getBytes(StandardCharsets.UTF_8)));
    }

    /** Adds a part behind its length, so that no two lists of parts read alike. */
    private static void add(Mac mac, Bytes part) {
        int size = part.size();
        mac.update(new byte[] {(byte) (size >>> 24), (byte) (size >>> 16), (byte) (size >>> 8), (byte) size});
        part.read(mac::update);
    }
}
