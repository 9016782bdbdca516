package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proof that a process knows a shared secret, without revealing it. It is an HMAC-SHA-256 over the role, the agreed
 * terms, and the nonces and certificates of both sides. A proof is valid for one side of one connection. Stateless.
 */
final class Proof {
    /** Length of a proof in bytes. */
    static final int BYTES = 32;
    /** Length in bytes of the nonce (a random number used once) that each side sends. */
    static final int NONCE_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String LABEL = "hearth mutual proof 1";

    private Proof() {}

    /**
     * Side of a connection whose proof is computed. The proof covers the role, so an attacker cannot send a proof back
     * to the process that created it.
     */
    enum Role {
        CONNECTING("connecting"),
        ACCEPTING("accepting");

        private final String written;

        Role(String written) {
            this.written = written;
        }
    }

    /**
     * Computes the proof that the side {@code role} sends. {@code connecting} and {@code accepting} are the nonces of
     * the two sides.
     */
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
        } catch (GeneralSecurityException missing) { // cannot happen: every Java 17 supports HMAC-SHA-256
            throw new IllegalStateException("proof: cannot be made (expected: " + ALGORITHM + ")", missing);
        }
    }

    /** Whether both proofs are equal. The comparison takes constant time, so that its duration reveals nothing. */
    static boolean same(Bytes one, Bytes other) {
        return MessageDigest.isEqual(one.toArray(), other.toArray());
    }

    private static void add(Mac mac, String part) {
        add(mac, Bytes.owning(part.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Adds a part to the HMAC input, prefixed with its length. Different lists of parts thus never give the same input.
     */
    private static void add(Mac mac, Bytes part) {
        int size = part.size();
        mac.update(new byte[] {(byte) (size >>> 24), (byte) (size >>> 16), (byte) (size >>> 8), (byte) size});
        part.read(mac::update);
    }
}
