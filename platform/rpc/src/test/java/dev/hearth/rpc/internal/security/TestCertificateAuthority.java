package dev.hearth.rpc.internal.security;

import dev.hearth.spi.rpc.RpcSecurity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Certificate authority for tests. */
public final class TestCertificateAuthority {
    private static final byte[] ECDSA_WITH_SHA256 =
            DerEncoder.sequence(DerEncoder.identifier(1, 2, 840, 10045, 4, 3, 2));
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    public TestCertificateAuthority(String name) throws Exception {
        this.name = name;
        this.keys = keyPair();
        byte[] constraints = extension(new int[] {2, 5, 29, 19}, DerEncoder.sequence(DerEncoder.yes()));
        this.certificate = sign(name, keys, constraints);
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** A certificate for hosts, by name or numeric address, and its key. */
    Identity issue(String... hosts) throws Exception {
        KeyPair own = keyPair();
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String host : hosts) {
            boolean numeric = Character.isDigit(host.charAt(0));
            byte[] content =
                    numeric ? InetAddress.getByName(host).getAddress() : host.getBytes(StandardCharsets.US_ASCII);
            names.write(numeric ? IP_ADDRESS : DNS_NAME);
            names.write(content.length);
            names.writeBytes(content);
        }
        byte[] alternatives = extension(new int[] {2, 5, 29, 17}, DerEncoder.sequence(names.toByteArray()));
        return new Identity(own.getPrivate(), List.of(sign(hosts[0], own, alternatives), certificate));
    }

    /**
     * Files in {@code directory}: a certificate for {@code host}, its key, and this authority as the only trusted one.
     */
    public RpcSecurity.Certificates files(Path directory, String name, String host) throws Exception {
        Identity identity = issue(host);
        Path chain = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key");
        Path trust = directory.resolve("trust.pem");
        write(chain, pem(identity.chain()));
        write(key, pem(identity.key()));
        write(trust, pem(List.of(certificate)));
        return new RpcSecurity.Certificates(chain, key, Optional.of(trust));
    }

    private X509Certificate sign(String subject, KeyPair own, byte[] extension) throws Exception {
        Instant from = Instant.now().minus(Duration.ofDays(1));
        byte[] content = DerEncoder.sequence(
                DerEncoder.explicit(0, DerEncoder.integer(BigInteger.TWO)),
                DerEncoder.integer(new BigInteger(64, random).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                name(name),
                DerEncoder.sequence(DerEncoder.time(from), DerEncoder.time(from.plus(Duration.ofDays(30)))),
                name(subject),
                own.getPublic().getEncoded(),
                DerEncoder.explicit(3, DerEncoder.sequence(extension)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        byte[] whole = DerEncoder.sequence(content, ECDSA_WITH_SHA256, DerEncoder.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] name(String common) {
        return DerEncoder.sequence(
                DerEncoder.set(DerEncoder.sequence(DerEncoder.identifier(2, 5, 4, 3), DerEncoder.text(common))));
    }

    private static byte[] extension(int[] id, byte[] content) {
        return DerEncoder.sequence(
                DerEncoder.identifier(id[0], id[1], id[2], id[3]), DerEncoder.yes(), DerEncoder.octets(content));
    }

    private static KeyPair keyPair() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    static String pem(List<X509Certificate> certificates) throws Exception {
        StringBuilder text = new StringBuilder();
        for (X509Certificate each : certificates) {
            text.append(block("CERTIFICATE", each.getEncoded()));
        }
        return text.toString();
    }

    static String pem(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    /** Writes a temporary file and renames it, as certificate tools do. */
    static void write(Path file, String text) throws Exception {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String block(String label, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
