package dev.hearth.rpc.internal.security;

import dev.hearth.spi.net.Bytes;
import java.security.SecureRandom;

/** Generates the random numbers, used only once, for mutual proofs. Stateless. */
final class Nonces {
    private Nonces() {}

    static Bytes next(SecureRandom random) {
        byte[] nonce = new byte[Proof.NONCE_BYTES];
        random.nextBytes(nonce);
        return Bytes.owning(nonce);
    }
}
