package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.connect.EstablishedConnection;
import dev.hearth.rpc.internal.connect.LaneRouter;
import dev.hearth.rpc.internal.security.TestCertificateAuthority;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.Secret;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections between two envs with the same secret, different secrets or none, and the errors on both sides. */
class AuthenticationTest {
    private static final Secret SECRET = Secret.random();
    private static final RpcSecurity SECURED = SecuredEnvs.with(SECRET);
    private static final RpcSecurity TRUSTING =
            new RpcSecurity(Optional.of(SECRET), false, true, Optional.empty(), Optional.empty(), false);

    private final TestEnvs envs = new TestEnvs();

    @TempDir
    Path directory;

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @Test
    void connectsEncryptedWithTheSameSecret() throws Exception {
        RpcEnv server = server(SECURED);
        RpcEnv client = client(SECURED);
        Peer peer = TestEnvs.await(client.connect(address(server)));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
        for (RpcEnv each : List.of(server, client)) {
            assertEquals(
                    List.of("TLS 1.3, proved"),
                    each.snapshot().peers().stream()
                            .map(RpcSnapshot.PeerState::security)
                            .toList());
        }
        assertEquals(new Answer(2), TestEnvs.await(ask(TestEnvs.await(server.connect(address(server))), 2)), "itself");
    }

    @Test
    void reportsAWrongSecretToBothSides() throws Exception {
        RpcEnv server = server(SECURED);
        RpcEnv client = client(SecuredEnvs.with(Secret.random()));
        try (RecordedLogs.Recording logs = RecordedLogs.begin()) {
            HearthException failure = TestEnvs.failure(client.connect(address(server)));
            assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), failure.code());
            assertContains(
                    text(failure), address(server) + ": the other side refused this process: you could not prove");
            String refusal = logs.lines().stream()
                    .filter(line -> line.startsWith("WARN") && line.contains("refused a connection"))
                    .findFirst()
                    .orElseThrow();
            assertContains(refusal, "the other side could not prove that it knows the secret of scope 'process'");
        }
        assertEquals(1, server.snapshot().refusals().notAuthenticated());
        assertEquals(List.of(), server.snapshot().peers());
    }

    @Test
    void refusesAProofForAClosedScopeWhoseNameIsReused() throws Exception {
        NettyRpcEnv server = (NettyRpcEnv) server(SECURED);
        RpcScope first = server.scope("application", Optional.of(Secret.random()));
        LaneRouter.ScopeKey proved = server.scope("application").orElseThrow();
        first.close();
        server.scope("application", Optional.of(Secret.random()));
        for (LaneRouter.ScopeKey key :
                List.of(proved, server.scope("application").orElseThrow())) {
            EmbeddedChannel arrived = new EmbeddedChannel();
            server.accepted(
                    new EstablishedConnection(arrived, RpcSnapshot.Lane.MESSAGES, key, "other", "TLS 1.3, proved"));
            arrived.runPendingTasks();
            assertEquals(!key.equals(proved), arrived.isOpen());
            assertEquals(key.equals(proved) ? 0 : 1, server.snapshot().peers().size());
            arrived.finishAndReleaseAll();
        }
    }

    @Test
    void saysThatTheOtherSideDemandsTls() throws Exception {
        RpcEnv server = server(SECURED);
        for (RpcSecurity plain : List.of(RpcSecurity.NONE, TRUSTING)) {
            HearthException failure = TestEnvs.failure(client(plain).connect(address(server)));
            assertEquals(ErrorCode.PROTOCOL_MISMATCH.name(), failure.code());
            assertContains(text(failure), "without TLS (expected: TLS 1.3");
        }
        assertEquals(2, server.snapshot().refusals().notAuthenticated());
    }

    @Test
    void saysThatTheOtherSideHasNoSecret() throws Exception {
        RpcEnv server = server(RpcSecurity.NONE);
        for (RpcSecurity proving : List.of(SECURED, TRUSTING)) {
            HearthException failure = TestEnvs.failure(client(proving).connect(address(server)));
            assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), failure.code());
            assertContains(text(failure), "the listening process has no secret");
        }
        assertEquals(2, server.snapshot().refusals().notAuthenticated());
    }

    @Test
    void provesWithoutEncryptionOnATrustedNetworkOnly() throws Exception {
        RpcEnv server = server(TRUSTING);
        RpcEnv client = client(TRUSTING);
        assertEquals(new Answer(1), TestEnvs.await(ask(TestEnvs.await(client.connect(address(server))), 1)));
        assertEquals("plain, proved", client.snapshot().peers().get(0).security());
        HearthException unproved = TestEnvs.failure(client(RpcSecurity.NONE).connect(address(server)));
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), unproved.code());
        assertContains(text(unproved), "none was offered");
        Peer encrypted = TestEnvs.await(client(SECURED).connect(address(server)));
        assertEquals(new Answer(2), TestEnvs.await(ask(encrypted, 2)), "TLS is taken where it is not demanded");
    }

    @Test
    void admitsToAScopeByItsOwnSecretAlone() throws Exception {
        Secret own = Secret.random();
        RpcEnv server = envs.open(SecuredEnvs.settings(true, SECURED));
        RpcScope scope = server.scope("app-1", Optional.of(own));
        RecordingEndpoint.register(scope, envs.loop("app-1"));
        RpcEnv client = client(SECURED);
        Peer peer = TestEnvs.await(client.scope("app-1", Optional.of(own)).connect(address(server)));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
        RpcEnv other = client(SECURED);
        String wrong =
                text(TestEnvs.failure(other.scope("app-1", Optional.empty()).connect(address(server))));
        String unknown =
                text(TestEnvs.failure(other.scope("app-2", Optional.empty()).connect(address(server))));
        assertEquals(wrong.replace("app-1", "app-2"), unknown, "the existing scopes are not revealed");
        assertContains(wrong, "could not prove");
        String open = text(TestEnvs.failure(client(RpcSecurity.NONE).connect(address(server))));
        assertContains(open, "without TLS");
        assertEquals(3, server.snapshot().refusals().notAuthenticated());
    }

    @Test
    void encryptsForAScopeWithASecretWhereNothingElseIs() throws Exception {
        Secret own = Secret.random();
        RpcEnv server = server(RpcSecurity.NONE);
        RecordingEndpoint.register(server.scope("app-1", Optional.of(own)), envs.loop("app-1"));
        RpcEnv client = client(RpcSecurity.NONE);
        Peer peer = TestEnvs.await(client.scope("app-1", Optional.of(own)).connect(address(server)));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
        assertEquals("TLS 1.3, proved", client.snapshot().peers().get(0).security());
        assertEquals(new Answer(2), TestEnvs.await(ask(TestEnvs.await(client.connect(address(server))), 2)));
        String unproved = text(TestEnvs.failure(
                client(RpcSecurity.NONE).scope("app-1", Optional.empty()).connect(address(server))));
        assertContains(unproved, "a proof of its secret is required");
        String plain = text(TestEnvs.failure(
                client(TRUSTING).scope("app-1", Optional.of(own)).connect(address(server))));
        assertContains(plain, "without TLS");
    }

    @Test
    void losesAPeerWhoseWireIsCut() throws Exception {
        RpcEnv server = server(SECURED);
        WireTap tap = envs.keep(new WireTap(address(server)));
        Peer peer = TestEnvs.await(client(SECURED).connect(tap.address()));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
        CompletionStage<Answer> asked = peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.NOTHING, 2), Answer.class, TestEnvs.BOUND);
        tap.cut();
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(asked).code());
    }

    @Test
    void checksTheHostWhereCertificatesAreConfigured() throws Exception {
        TestCertificateAuthority authority = new TestCertificateAuthority("authority");
        RpcEnv server = server(certified(authority, "right", "127.0.0.1"));
        RpcEnv client = client(certified(authority, "client", "client.example"));
        assertEquals(new Answer(1), TestEnvs.await(ask(TestEnvs.await(client.connect(address(server))), 1)));
        RpcEnv elsewhere = server(certified(authority, "wrong", "10.1.2.3"));
        HearthException failure = TestEnvs.failure(client.connect(address(elsewhere)));
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), failure.code());
        assertContains(text(failure), "the certificate of the other side was not accepted");
        RpcEnv selfMade = client(SECURED);
        HearthException untrusted = TestEnvs.failure(selfMade.connect(address(server)));
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), untrusted.code());
        assertContains(text(untrusted), "does not trust the certificate of this process");
    }

    @Test
    void refusesToOpenWithCertificatesThatCannotBeRead() {
        Path missing = directory.resolve("missing.pem");
        RpcSecurity bad = new RpcSecurity(
                Optional.of(SECRET),
                true,
                false,
                Optional.of(new RpcSecurity.Certificates(missing, missing, Optional.empty())),
                Optional.empty(),
                false);
        HearthException failure = assertThrows(HearthException.class, () -> envs.open(SecuredEnvs.settings(true, bad)));
        assertEquals(ErrorCode.BAD_SETTING.name(), failure.code());
        assertContains(text(failure), "hearth.ssl.rpc.certChain");
    }

    @Test
    void logsNothingThatIsSecret() throws Exception {
        try (RecordedLogs.Recording logs = RecordedLogs.begin()) {
            RpcEnv server = server(SECURED);
            RpcEnv client = client(SECURED);
            Peer peer = TestEnvs.await(client.connect(address(server)));
            assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
            TestEnvs.failure(client(SecuredEnvs.with(Secret.random())).connect(address(server)));
            peer.close();
            client.close();
            server.close();
            List<String> lines = logs.lines();
            assertTrue(lines.stream().anyMatch(line -> line.contains("connected")), "something is logged at all");
            for (String line : lines) {
                assertFalse(line.contains(SECRET.reveal()), line);
            }
        }
        assertFalse(SECURED.toString().contains(SECRET.reveal()), SECURED.toString());
    }

    private RpcSecurity certified(TestCertificateAuthority authority, String name, String host) throws Exception {
        return new RpcSecurity(
                Optional.of(SECRET),
                true,
                false,
                Optional.of(authority.files(directory, name, host)),
                Optional.empty(),
                false);
    }

    private RpcEnv server(RpcSecurity security) {
        RpcEnv server = envs.open(SecuredEnvs.settings(true, security));
        RecordingEndpoint.register(server, envs.loop("server"));
        return server;
    }

    private RpcEnv client(RpcSecurity security) {
        return envs.open(SecuredEnvs.settings(false, security));
    }

    private static RpcAddress address(RpcEnv server) {
        return server.address().orElseThrow();
    }

    private static CompletionStage<Answer> ask(Peer peer, int number) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }

    private static void assertContains(String text, String part) {
        assertTrue(text.contains(part), text);
    }

    private static String text(HearthException failure) {
        return String.valueOf(failure.getMessage());
    }
}
