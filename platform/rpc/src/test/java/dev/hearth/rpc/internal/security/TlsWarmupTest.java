package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.FakeTicker;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The warm-up of TLS before the first connection. */
class TlsWarmupTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final FakeTicker ticker = new FakeTicker();

    @TempDir
    private Path directory;

    @Test
    void performsAHandshakeAndSendsBothWaysInMemory() {
        SecureRandom random = new SecureRandom();
        Identity own = SelfSigned.make(random, ticker.wall());
        Credentials credentials = Credentials.of(own, new DeferredTrustManager(own.certificate()), false, random);
        Optional<SSLSession> session =
                new TlsWarmup(() -> credentials.connecting("host", 1), credentials::accepting).run();
        assertEquals("TLSv1.3", session.map(SSLSession::getProtocol).orElse("none"));
        assertEquals(
                ChannelBinding.hash(own.certificate()),
                session.map(ChannelBinding::connecting)
                        .map(ChannelBinding::accepting)
                        .orElseThrow(),
                "it shows the certificate that connections will show");
    }

    @Test
    void warmsUpIfConnectionsAreEncrypted() throws Exception {
        try (ChannelSecurity security = open(true, Optional.empty())) {
            assertTrue(warmedUp(security));
        }
    }

    @Test
    void doesNothingWithoutEncryption() {
        try (ChannelSecurity security = open(false, Optional.empty())) {
            assertTrue(security.warmedUp().toCompletableFuture().isDone());
            assertFalse(security.warmedUp().toCompletableFuture().join());
        }
    }

    @Test
    void ignoresCertificatesThatDoNotMatchTheWarmUpHost() throws Exception {
        RpcSecurity.Certificates files =
                new TestCertificateAuthority("Example Authority").files(directory, "own", "master.example");
        try (ChannelSecurity security = open(true, Optional.of(files))) {
            assertFalse(warmedUp(security), "the certificate is for another host");
            assertTrue(security.encrypts());
        }
    }

    private ChannelSecurity open(boolean encrypted, Optional<RpcSecurity.Certificates> certificates) {
        RpcSecurity settings = new RpcSecurity(
                encrypted ? Optional.of(Secret.random()) : Optional.empty(),
                encrypted,
                false,
                certificates,
                Optional.empty(),
                false);
        return new ChannelSecurity(settings, ticker);
    }

    private static boolean warmedUp(ChannelSecurity security) throws Exception {
        return security.warmedUp().toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }
}
