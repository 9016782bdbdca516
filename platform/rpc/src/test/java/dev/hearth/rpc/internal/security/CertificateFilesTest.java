package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.testkit.FakeTicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFilesTest {
    private static final String HOST = "master.example";

    private final FakeTicker ticker = new FakeTicker();
    private final SecureRandom random = new SecureRandom();
    private final TestCertificateAuthority authority = authority("Example Authority");

    @TempDir
    private Path directory;

    private Path chain;
    private Path key;
    private Path trusted;

    @BeforeEach
    void writeFiles() throws Exception {
        chain = directory.resolve("chain.pem");
        key = directory.resolve("key.pem");
        trusted = directory.resolve("trusted.pem");
        write(authority.issue(HOST, "127.0.0.1"));
        TestCertificateAuthority.write(
                trusted, "An authority:\n" + TestCertificateAuthority.pem(List.of(authority.certificate())));
    }

    @Test
    void trustsAuthoritiesOfTheFileForTheRightHost() throws Exception {
        Credentials credentials = files().current();
        shake(credentials, HOST, credentials);
        shake(credentials, "127.0.0.1", credentials);
        SSLEngine accepting = credentials.accepting();
        InMemoryTlsHandshake.shake(credentials.connecting(HOST, 7077), accepting);
        assertEquals(2, accepting.getSession().getPeerCertificates().length, "the connecting side showed its own");
    }

    @Test
    void refusesAnotherHostAndSaysSo() {
        Credentials credentials = files().current();
        SSLException refused =
                assertThrows(SSLException.class, () -> shake(credentials, "worker.example", credentials));
        HearthException failure =
                TlsErrorMessages.describe("worker.example:7077", refused).orElseThrow();
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), failure.code());
        assertTrue(text(failure).contains("worker.example"), text(failure));
        assertTrue(text(failure).contains("hearth.ssl.rpc.trustCerts"), text(failure));
    }

    @Test
    void refusesWhatAnotherAuthoritySigned() throws Exception {
        Credentials mine = files().current();
        Identity foreign = authority("Another Authority").issue(HOST);
        Credentials theirs = Credentials.of(foreign, new DeferredTrustManager(foreign.certificate()), false, random);
        SSLException refused = assertThrows(SSLException.class, () -> shake(mine, HOST, theirs));
        String text = text(TlsErrorMessages.describe(HOST, refused).orElseThrow());
        assertTrue(text.contains("the certificate of the other side was not accepted"), text);
        assertThrows(SSLException.class, () -> shake(theirs, HOST, mine), "nor of those who connect");
    }

    @Test
    void readsTheFilesAgainWhenTheyChangedAndNotMoreThanOnceASecond() throws Exception {
        CertificateFiles files = files();
        Credentials first = files.current();
        write(authority.issue(HOST, "10.0.0.1"));
        ticker.advance(Duration.ofMillis(999));
        assertSame(first, files.current());
        ticker.advance(Duration.ofMillis(1));
        Credentials second = files.current();
        assertNotSame(first, second);
        shake(second, "10.0.0.1", second);
        ticker.advance(Duration.ofDays(1));
        assertSame(second, files.current());
    }

    @Test
    void keepsTheOldOnesWhileTheNewOnesAreBad() throws Exception {
        CertificateFiles files = files();
        Credentials first = files.current();
        Identity next = authority.issue(HOST);
        TestCertificateAuthority.write(
                chain, TestCertificateAuthority.pem(next.chain())); // the key still belongs to the first certificate
        ticker.advance(Duration.ofSeconds(1));
        assertSame(first, files.current());
        Files.delete(key);
        ticker.advance(Duration.ofSeconds(1));
        assertSame(first, files.current());
        TestCertificateAuthority.write(key, TestCertificateAuthority.pem(next.key()));
        ticker.advance(Duration.ofSeconds(1));
        assertNotSame(first, files.current());
    }

    @Test
    void namesSettingFileAndLineOfWhatIsWrong() throws Exception {
        assertProblem("hearth.ssl.rpc.certChain: " + chain + " does not exist", () -> Files.delete(chain));
        assertProblem("hearth.ssl.rpc.certChain: " + chain + " cannot be read", () -> Files.createDirectory(chain));
        Files.delete(chain);
        assertProblem("no certificate among [PRIVATE KEY]", () -> Files.copy(key, chain));
        assertProblem(
                "hearth.ssl.rpc.certChain: " + chain + " line 2: a block that cannot be decoded",
                () -> TestCertificateAuthority.write(
                        chain, "x\n-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n"));
        assertProblem(
                chain + " line 1: no certificate",
                () -> TestCertificateAuthority.write(
                        chain, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
        assertProblem(
                chain + " line 2: no end of a block",
                () -> TestCertificateAuthority.write(chain, "-----BEGIN CERTIFICATE-----\nAAAA\n"));
        writeFiles();
        assertProblem(
                "openssl pkcs8",
                () -> TestCertificateAuthority.write(
                        key, "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"));
        assertProblem(
                "hearth.ssl.rpc.privateKey: " + key + " holds the key of another certificate",
                () -> TestCertificateAuthority.write(
                        key, TestCertificateAuthority.pem(authority.issue(HOST).key())));
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        assertProblem(
                key + " line 1: no key of the kind EC",
                () -> TestCertificateAuthority.write(
                        key, TestCertificateAuthority.pem(rsa.generateKeyPair().getPrivate())));
        writeFiles();
        assertProblem("hearth.ssl.rpc.trustCerts: " + trusted, () -> Files.delete(trusted));
    }

    private void assertProblem(String expected, Damage damage) throws Exception {
        damage.run();
        HearthException failure = assertThrows(HearthException.class, this::files);
        assertEquals(ErrorCode.BAD_SETTING.name(), failure.code());
        assertTrue(text(failure).contains(expected), text(failure));
    }

    private CertificateFiles files() {
        return new CertificateFiles(new RpcSecurity.Certificates(chain, key, Optional.of(trusted)), random, ticker);
    }

    private void write(Identity identity) throws Exception {
        TestCertificateAuthority.write(chain, TestCertificateAuthority.pem(identity.chain()));
        TestCertificateAuthority.write(key, TestCertificateAuthority.pem(identity.key()));
    }

    private static void shake(Credentials connecting, String host, Credentials accepting) throws SSLException {
        InMemoryTlsHandshake.shake(connecting.connecting(host, 7077), accepting.accepting());
    }

    private static TestCertificateAuthority authority(String name) {
        try {
            return new TestCertificateAuthority(name);
        } catch (Exception failure) {
            throw new AssertionError("no authority", failure);
        }
    }

    private static String text(HearthException failure) {
        return String.valueOf(failure.getMessage());
    }

    @FunctionalInterface
    private interface Damage {
        void run() throws Exception;
    }
}
