package dev.hearth.kubernetes.internal.rehearsal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Self-signed certificate of a server at 127.0.0.1, with an RSA key as API servers have. Valid for a day; its key stays in
 * this process. Immutable.
 */
final class LoopbackCertificate {
    private static final int KEY_BITS = 2048;
    private static final Duration VALID = Duration.ofDays(1);
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int OCTETS = 0x04;
    private static final int TEXT = 0x0c;
    private static final int TIME = 0x17;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 0xff;

    // object identifiers in DER: SHA-256 with RSA (and no parameters), common name, alternative names
    private static final byte[] SHA256_WITH_RSA = bytes("300d06092a864886f70d01010b0500");
    private static final byte[] COMMON_NAME = bytes("0603550403");
    private static final byte[] ALTERNATIVE_NAMES = bytes("0603551d11");
    private static final byte[] LOOPBACK_ADDRESS = bytes("300687047f000001");

    private final KeyPair keys;
    private final Certificate certificate;

    private LoopbackCertificate(KeyPair keys, Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    static LoopbackCertificate make(Instant now) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        KeyPair keys = generator.generateKeyPair();
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TEXT, "rehearsal".getBytes(US_ASCII)))));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, BigInteger.ONE.toByteArray()),
                SHA256_WITH_RSA,
                name,
                der(SEQUENCE, time(now.minus(VALID)), time(now.plus(VALID))),
                name,
                keys.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAMES, der(OCTETS, LOOPBACK_ADDRESS)))));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        byte[] whole = der(SEQUENCE, content, SHA256_WITH_RSA, der(BITS, new byte[1], signature.sign()));
        return new LoopbackCertificate(
                keys, CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole)));
    }

    /** The certificate in the form in which clients trust it. */
    String pem() throws GeneralSecurityException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n";
    }

    SSLContext server() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        char[] none = new char[0]; // the store is in memory alone
        store.setKeyEntry("server", keys.getPrivate(), none, new Certificate[] {certificate});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, none);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static byte[] time(Instant time) {
        return der(TIME, UTC_TIME.format(time).getBytes(US_ASCII));
    }

    /** A value in DER: its tag, its length, its parts. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < LONG_FORM) {
            out.write(length);
        } else {
            out.write(LONG_FORM + 2);
            out.write(length >> Byte.SIZE);
            out.write(length & BYTE);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] bytes(String hexadecimal) {
        return HexFormat.of().parseHex(hexadecimal);
    }
}
