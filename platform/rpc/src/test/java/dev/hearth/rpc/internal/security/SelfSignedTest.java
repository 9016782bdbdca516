package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SelfSignedTest {
    private static final Instant NOW = Instant.parse("2026-11-18T12:34:56Z");

    private final SecureRandom random = new SecureRandom();

    @Test
    void makesACertificateThatTheJdkReadsAndVerifies() throws Exception {
        Identity made = SelfSigned.make(random, NOW);
        X509Certificate read = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(made.certificate().getEncoded()));
        read.verify(read.getPublicKey());
        read.checkValidity(Date.from(NOW));
        assertEquals(3, read.getVersion());
        assertEquals("CN=hearth", read.getSubjectX500Principal().getName());
        assertEquals(read.getSubjectX500Principal(), read.getIssuerX500Principal());
        assertEquals("SHA256withECDSA", read.getSigAlgName());
        assertEquals(NOW.minus(Duration.ofHours(1)), read.getNotBefore().toInstant());
        assertEquals(
                Duration.ofDays(3_652),
                Duration.between(
                        read.getNotBefore().toInstant(), read.getNotAfter().toInstant()));
        assertTrue(read.getSerialNumber().signum() > 0);
        assertEquals(-1, read.getBasicConstraints(), "no authority");
        assertArrayEquals(made.certificate().getEncoded(), read.getEncoded());
    }

    @Test
    void writesYearsFrom2050OnInFull() throws Exception {
        Instant later = Instant.parse("2045-06-01T00:00:00Z");
        X509Certificate made = SelfSigned.make(random, later).certificate();
        made.verify(made.getPublicKey());
        assertEquals(later.minus(Duration.ofHours(1)), made.getNotBefore().toInstant());
        assertEquals(Instant.parse("2055-05-31T23:00:00Z"), made.getNotAfter().toInstant());
    }

    @Test
    void makesAnotherOneEachTimeAndShowsNoKey() {
        Identity one = SelfSigned.make(random, NOW);
        Identity other = SelfSigned.make(random, NOW);
        assertNotEquals(one.certificate().getSerialNumber(), other.certificate().getSerialNumber());
        assertNotEquals(one.certificate().getPublicKey(), other.certificate().getPublicKey());
        assertFalse(one.toString().contains("S="), one::toString);
    }

    @Test
    void encodesAsTheRulesSay() {
        assertHex("3000", DerEncoder.sequence());
        assertHex("02020080", DerEncoder.integer(BigInteger.valueOf(128)));
        assertHex("06072a8648ce3d0201", DerEncoder.identifier(1, 2, 840, 10045, 2, 1));
        assertHex("0603550403", DerEncoder.identifier(2, 5, 4, 3));
        assertHex("0c0568c3a97421", DerEncoder.text("h\u00e9t!"));
        assertHex("0101ff", DerEncoder.yes());
        assertHex("03020041", DerEncoder.bits(new byte[] {0x41}));
        assertEquals("0481c8", HexFormat.of().formatHex(DerEncoder.octets(new byte[200]), 0, 3));
        assertEquals("048203e8", HexFormat.of().formatHex(DerEncoder.octets(new byte[1000]), 0, 4));
    }

    private static void assertHex(String expected, byte[] found) {
        assertEquals(expected, HexFormat.of().formatHex(found));
    }
}
