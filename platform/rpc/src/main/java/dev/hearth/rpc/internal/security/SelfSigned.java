package dev.hearth.rpc.internal.security;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Creates identities: private keys with self-signed certificates. These suffice for encryption; the mutual proof then
 * authenticates the certificates.
 */
final class SelfSigned {
    private static final String COMMON_NAME = "hearth";
    /**
     * Time between the start of the validity of a certificate and its creation. The start is earlier, because the
     * clocks of two machines may differ.
     */
    private static final Duration BEFORE = Duration.ofHours(1);

    private static final Duration VALID = Duration.ofDays(3_652); // validity of ten years, longer than any process runs
    private static final int SERIAL_BITS = 127;
    private static final BigInteger VERSION_3 = BigInteger.TWO;

    private static final byte[] ECDSA_WITH_SHA256 =
            DerEncoder.sequence(DerEncoder.identifier(1, 2, 840, 10045, 4, 3, 2));
    private static final byte[] NAME_COMMON = DerEncoder.identifier(2, 5, 4, 3);
    private static final byte[] BASIC_CONSTRAINTS = DerEncoder.identifier(2, 5, 29, 19);

    private SelfSigned() {}

    /** Creates a key pair on the curve P-256 and its self-signed certificate. */
    static Identity make(SecureRandom random, Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair keys = generator.generateKeyPair();
            byte[] content = content(keys.getPublic().getEncoded(), new BigInteger(SERIAL_BITS, random), now);
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate(), random);
            signature.update(content);
            byte[] whole = DerEncoder.sequence(content, ECDSA_WITH_SHA256, DerEncoder.bits(signature.sign()));
            X509Certificate certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
            return new Identity(keys.getPrivate(), List.of(certificate));
        } catch (GeneralSecurityException missing) { // cannot happen: every Java 17 supports these algorithms
            throw new IllegalStateException(
                    "certificate: cannot be made (expected: the algorithms of Java 17)", missing);
        }
    }

    private static byte[] content(byte[] publicKey, BigInteger serial, Instant now) {
        byte[] name =
                DerEncoder.sequence(DerEncoder.set(DerEncoder.sequence(NAME_COMMON, DerEncoder.text(COMMON_NAME))));
        Instant from = now.minus(BEFORE);
        byte[] validity = DerEncoder.sequence(DerEncoder.time(from), DerEncoder.time(from.plus(VALID)));
        byte[] noAuthority =
                DerEncoder.sequence(BASIC_CONSTRAINTS, DerEncoder.yes(), DerEncoder.octets(DerEncoder.sequence()));
        return DerEncoder.sequence(
                DerEncoder.explicit(0, DerEncoder.integer(VERSION_3)),
                DerEncoder.integer(serial.add(BigInteger.ONE)), // never zero
                ECDSA_WITH_SHA256,
                name,
                validity,
                name,
                publicKey,
                DerEncoder.explicit(3, DerEncoder.sequence(noAuthority)));
    }
}
