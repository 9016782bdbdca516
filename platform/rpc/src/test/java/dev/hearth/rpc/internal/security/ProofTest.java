package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.security.Proof.Role;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProofTest {
    private static final Secret SECRET = Secret.of("a secret of sixteen or more bytes");
    private static final Bytes CONNECTING = counting(0);
    private static final Bytes ACCEPTING = counting(32);

    /**
     * Computed with another implementation of HMAC: each part with a length prefix of four bytes, in the order of
     * {@link Proof}.
     */
    @Test
    void isWhatOtherImplementationsMakeOfTheSameParts() throws Exception {
        ChannelBinding tunnel = new ChannelBinding(true, hash("connecting"), hash("accepting"));
        ProofTerms terms = new ProofTerms("MESSAGES", "process", 1, tunnel);
        assertProof("445470678e2029e2194871c8cacd2c4bd3f84d8457113772bf753675aa0dc32a", Role.CONNECTING, terms);
        assertProof("7becfd1afcf790a3404dc67aa9c4710acc37faf8760ab2e0e1d5620a45456485", Role.ACCEPTING, terms);
        ProofTerms plain = new ProofTerms("MESSAGES", "process", 1, ChannelBinding.NONE);
        assertProof("7a988f7624b7f98b0c1143b2f7031ec1ad6d9a4111e661ea0e1610bc192bd051", Role.CONNECTING, plain);
    }

    @Test
    void differsWhenAnyInputDiffers() throws Exception {
        Bytes one = hash("one");
        Bytes two = hash("two");
        List<Bytes> proofs = List.of(
                proof("MESSAGES", "app", 1, new ChannelBinding(true, one, two)),
                proof("BULK", "app", 1, new ChannelBinding(true, one, two)),
                proof("MESSAGES", "apps", 1, new ChannelBinding(true, one, two)),
                proof("MESSAGESa", "pp", 1, new ChannelBinding(true, one, two)),
                proof("MESSAGES", "app", 2, new ChannelBinding(true, one, two)),
                proof("MESSAGES", "app", 1, new ChannelBinding(true, two, one)),
                proof("MESSAGES", "app", 1, new ChannelBinding(true, one, one)),
                proof("MESSAGES", "app", 1, new ChannelBinding(false, one, two)),
                proof("MESSAGES", "app", 1, new ChannelBinding(true, Bytes.EMPTY, two)),
                proof("MESSAGES", "app", 1, ChannelBinding.NONE));
        Set<Bytes> different = new LinkedHashSet<>(proofs);
        ProofTerms terms = new ProofTerms("MESSAGES", "app", 1, new ChannelBinding(true, one, two));
        different.add(Proof.make(SECRET, Role.ACCEPTING, terms, CONNECTING, ACCEPTING));
        different.add(Proof.make(SECRET, Role.CONNECTING, terms, ACCEPTING, CONNECTING));
        different.add(Proof.make(SECRET, Role.CONNECTING, terms, CONNECTING, CONNECTING));
        different.add(
                Proof.make(Secret.of("another secret of many bytes"), Role.CONNECTING, terms, CONNECTING, ACCEPTING));
        assertEquals(proofs.size() + 4, different.size());
    }

    @Test
    void comparesWholeProofs() {
        assertTrue(Proof.same(counting(0), counting(0)));
        assertFalse(Proof.same(counting(0), counting(1)));
        assertFalse(Proof.same(counting(0), Bytes.EMPTY));
    }

    private static Bytes proof(String lane, String scope, int version, ChannelBinding tunnel) {
        ProofTerms terms = new ProofTerms(lane, scope, version, tunnel);
        return Proof.make(SECRET, Role.CONNECTING, terms, CONNECTING, ACCEPTING);
    }

    private static void assertProof(String expected, Role role, ProofTerms terms) {
        Bytes proof = Proof.make(SECRET, role, terms, CONNECTING, ACCEPTING);
        assertEquals(expected, HexFormat.of().formatHex(proof.toArray()));
    }

    private static Bytes hash(String text) throws Exception {
        return Bytes.owning(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static Bytes counting(int from) {
        byte[] bytes = new byte[Proof.NONCE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (from + i);
        }
        return Bytes.owning(bytes);
    }
}
