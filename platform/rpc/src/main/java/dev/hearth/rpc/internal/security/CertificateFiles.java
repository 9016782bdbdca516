package dev.hearth.rpc.internal.security;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS credentials read from files, and read again when the files change. Changes are checked on use, at most once a
 * second. If the new files cannot be read, the old credentials stay in use and the error is logged once. Guarded by its
 * own lock; lives as long as its RPC environment.
 */
final class CertificateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);
    private static final long CHECK_NANOS_MIN = Duration.ofSeconds(1).toNanos();
    private static final int SAMPLE_BYTES = 32;

    private final RpcSecurity.Certificates files;
    private final SecureRandom random;
    private final Ticker ticker;
    private List<Stamp> stamps;
    private Credentials credentials;
    private long checkedNanos;

    /**
     * Reads the certificate files. Throws if they cannot be read, whereas later failures leave the older credentials in
     * use.
     */
    CertificateFiles(RpcSecurity.Certificates files, SecureRandom random, Ticker ticker) {
        this.files = files;
        this.random = random;
        this.ticker = ticker;
        this.stamps = stamps(files);
        this.checkedNanos = ticker.nanos();
        this.credentials = load();
    }

    /** Returns the credentials in the current files. If these cannot be read, returns the last valid credentials. */
    synchronized Credentials current() {
        long now = ticker.nanos();
        if (now - checkedNanos < CHECK_NANOS_MIN) {
            return credentials;
        }
        checkedNanos = now;
        // taken before the read, so that the next check detects a change during the read
        List<Stamp> found = stamps(files);
        if (!found.equals(stamps)) {
            stamps = found;
            try {
                credentials = load();
                LOG.info("Certificates: reloaded, as {} changed", files.chain());
            } catch (HearthException broken) {
                LOG.error(
                        "Certificates: the old ones stay in use, as the new ones cannot be used: {}",
                        broken.getMessage());
            }
        }
        return credentials;
    }

    private Credentials load() {
        List<X509Certificate> chain =
                PemFile.read(RpcSecurity.CERTIFICATE, files.chain()).certificates();
        PemFile keyFile = PemFile.read(RpcSecurity.PRIVATE_KEY, files.privateKey());
        PrivateKey key = keyFile.privateKey(chain.get(0));
        if (!belongs(key, chain.get(0))) {
            throw ErrorCode.BAD_SETTING.failure(RpcSecurity.PRIVATE_KEY + ": " + files.privateKey()
                    + " holds the key of another certificate (expected: that of " + files.chain() + ")");
        }
        return Credentials.of(new Identity(key, chain), trust(), true, random);
    }

    private X509ExtendedTrustManager trust() {
        try {
            KeyStore trusted =
                    files.trusted().isPresent() ? store(files.trusted().get()) : null;
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted); // null selects the trust store of the Java installation
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException bad) {
            throw ErrorCode.BAD_SETTING.failure(
                    RpcSecurity.TRUST + ": cannot be used, " + bad + " (expected: certificates of authorities)", bad);
        }
    }

    private static KeyStore store(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (X509Certificate each : PemFile.read(RpcSecurity.TRUST, file).certificates()) {
            store.setCertificateEntry("trusted-" + number++, each);
        }
        return store;
    }

    /**
     * Whether {@code key} is the private key of {@code certificate}: whether the certificate verifies a signature made
     * with the key.
     */
    private boolean belongs(PrivateKey key, X509Certificate certificate) {
        byte[] sample = new byte[SAMPLE_BYTES];
        random.nextBytes(sample);
        try {
            Signature signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> key.getAlgorithm();
                    });
            signature.initSign(key, random);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException otherKind) {
            return false; // thrown also for key types that cannot sign
        }
    }

    private static List<Stamp> stamps(RpcSecurity.Certificates files) {
        List<Stamp> stamps = new ArrayList<>();
        for (Optional<Path> file :
                List.of(Optional.of(files.chain()), Optional.of(files.privateKey()), files.trusted())) {
            file.ifPresent(path -> stamps.add(Stamp.of(path)));
        }
        return stamps;
    }

    /**
     * State of a file, compared to detect changes: modification time, size and identity. All are zero or empty if the
     * file cannot be read.
     */
    private record Stamp(long modifiedNanos, long size, String file) {
        static Stamp of(Path path) {
            try {
                BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stamp(
                        found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                        found.size(),
                        Objects.toString(found.fileKey()));
            } catch (IOException missing) {
                return new Stamp(0, 0, ""); // ignored here: the following read reports the problem with the file
            }
        }
    }
}
