package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.machine.AnonymousTls;
import java.lang.invoke.MethodHandles;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that do not know the secret: eavesdroppers, clients, and floods of connections. */
class UnauthenticatedPeersTest {
    private static final Secret SECRET = Secret.random();
    private static final RpcSecurity SECURED = SecuredEnvs.with(SECRET);
    private static final int STRANGERS = 2_000;
    private static final int HANDSHAKES_MAX = 256;
    private static final byte[] PREAMBLE = {'H', 'R', 'T', 'H', 1, 1, 0, 0};

    private final TestEnvs envs = new TestEnvs();

    @AfterEach
    void closeAll() {
        envs.close();
    }

    /** Content of the recorded conversation. */
    record Marked(String text) {}

    private static final Protocol MARKED = Protocol.named("marked", MethodHandles.lookup())
            .message(1, Marked.class)
            .build();

    @ParameterizedTest(name = "secured {0}")
    @ValueSource(booleans = {true, false})
    void nothingReadableCrossesTheWireOfThoseWhoHaveASecret(boolean secured) throws Exception {
        RpcSecurity security = secured ? SECURED : RpcSecurity.NONE;
        RpcEnv server = envs.open(SecuredEnvs.settings(true, security));
        RpcScope scope = server.scope("application-of-the-tap", Optional.empty());
        scope.register(
                "endpoint-of-the-tap",
                MARKED,
                envs.loop("server"),
                Receiver.of("endpoint-of-the-tap")
                        .answer(Marked.class, (message, peer) -> new Marked("answer-on-the-tap"))
                        .build());
        WireTap tap = envs.keep(new WireTap(server.address().orElseThrow()));
        RpcEnv client = envs.open(SecuredEnvs.settings(false, security));
        Peer peer = TestEnvs.await(
                client.scope("application-of-the-tap", Optional.empty()).connect(tap.address()));
        Marked answer = TestEnvs.await(peer.endpoint("endpoint-of-the-tap", MARKED)
                .ask(new Marked("question-on-the-tap"), Marked.class, TestEnvs.BOUND));
        assertEquals(new Marked("answer-on-the-tap"), answer);
        String recorded = tap.recorded();
        for (String known : List.of(
                "HRTH", "application-of-the-tap", "endpoint-of-the-tap", "question-on-the-tap", "answer-on-the-tap")) {
            assertEquals(secured, !recorded.contains(known), known);
        }
        assertFalse(recorded.contains(SECRET.reveal()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void noMessageIsDecodedBeforeTheProof(int helloKind) throws Exception {
        RpcEnv server = envs.open(SecuredEnvs.settings(true, SECURED));
        RecordingEndpoint talk = RecordingEndpoint.register(server, envs.loop("server"));
        RpcAddress address = server.address().orElseThrow();
        byte[] hello = RawConnection.join(PREAMBLE, hello(helloKind, "process"));
        byte[] opening = new byte[3 + 32];
        opening[0] = 0x51;
        opening[2] = 32;
        List<byte[]> attempts = List.of(
                messageBytes(),
                RawConnection.join(PREAMBLE, messageBytes()),
                RawConnection.join(hello, messageBytes()),
                RawConnection.join(RawConnection.join(hello, opening), messageBytes()));
        int refused = 0;
        for (byte[] attempt : attempts) {
            for (Socket socket : List.of(
                    new Socket(address.host(), address.port()),
                    AnonymousTls.context().getSocketFactory().createSocket(address.host(), address.port()))) {
                RawConnection raw = envs.keep(new RawConnection(socket));
                raw.write(attempt);
                raw.readToEnd();
                assertEquals(List.of(), server.snapshot().peers());
                refused++;
            }
        }
        var refusals = server.snapshot().refusals();
        assertEquals(refused, refusals.notAuthenticated() + refusals.foreign(), refusals::toString);
        assertTrue(refusals.notAuthenticated() >= 4, refusals::toString);
        assertFalse(talk.hasReceived(""), "not a message, nor a peer that was lost");
    }

    @Test
    void manyUnauthenticatedConnectionsDoNotBlockOthers() throws Exception {
        RpcEnv server = envs.open(SecuredEnvs.settings(
                true,
                SECURED,
                RpcLimits.DEFAULTS.withConnections(3 * STRANGERS, HANDSHAKES_MAX),
                Duration.ofSeconds(4)));
        RecordingEndpoint.register(server, envs.loop("server"));
        RpcAddress address = server.address().orElseThrow();
        RpcEnv client = envs.open(SecuredEnvs.settings(false, SECURED));
        Peer early = TestEnvs.await(client.connect(address));
        List<RawConnection> strangers = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++) {
            RawConnection stranger = envs.keep(RawConnection.to(address));
            strangers.add(stranger);
            switch (i % 4) {
                case 0 -> stranger.write("HR");
                case 1 -> stranger.write("\u0016\u0003\u0001\u0001\u0000"); // a TLS record that never ends
                case 2 -> stranger.write("GET");
                default -> {
                    // sends nothing
                }
            }
            if (i % 100 == 0) {
                assertEquals(new Answer(i), TestEnvs.await(ask(early, i)), "served meanwhile");
                assertTrue(server.snapshot().refusals().inHandshake() <= HANDSHAKES_MAX);
            }
        }
        Peer late = TestEnvs.await(client.connect(address));
        assertEquals(new Answer(1), TestEnvs.await(ask(late, 1)), "who does prove it gets in");
        for (RawConnection each : strangers) {
            assertEquals(0, each.readToEnd().length);
        }
        var refusals = server.snapshot().refusals();
        assertTrue(refusals.tooMany() >= STRANGERS - HANDSHAKES_MAX, refusals::toString);
        assertEquals(new Answer(2), TestEnvs.await(ask(late, 2)));
    }

    @Test
    void slowHttpHeadsDoNotUseUpTheConnections() throws Exception {
        RpcEnv server = envs.open(SecuredEnvs.settings(
                true, SECURED, RpcLimits.DEFAULTS.withConnections(40, 40), Duration.ofSeconds(20)));
        RecordingEndpoint.register(server, envs.loop("server"));
        RpcAddress address = server.address().orElseThrow();
        RpcEnv client = envs.open(SecuredEnvs.settings(false, SECURED));
        List<RawConnection> strangers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            RawConnection stranger = envs.keep(new RawConnection(
                    AnonymousTls.context().getSocketFactory().createSocket(address.host(), address.port())));
            strangers.add(stranger);
            stranger.write("GET / HTTP/1.1\r\nHost: ");
        }
        envs.awaitTrue(() -> server.snapshot().peers().size() == 30); // three quarters of 40
        Peer honest = TestEnvs.await(client.connect(address));
        assertEquals(new Answer(1), TestEnvs.await(ask(honest, 1)));
        assertTrue(server.snapshot().refusals().tooMany() >= 30);
        for (RawConnection evicted : strangers.subList(0, 30)) {
            assertEquals(0, evicted.readToEnd().length);
        }
    }

    @Test
    void plainHttpIsRefusedWithAHintToUseTls() throws Exception {
        RpcEnv server = envs.open(SecuredEnvs.settings(true, SECURED));
        server.serve("/hello", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "hello")));
        RawConnection raw = envs.keep(RawConnection.to(server.address().orElseThrow()));
        raw.write("GET /hello HTTP/1.0\r\n\r\n");
        String answer = new String(raw.readToEnd(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.1 400 ") && answer.contains("https://"), answer);
        Socket tls = AnonymousTls.context()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.address().orElseThrow().port());
        RawConnection encrypted = envs.keep(new RawConnection(tls));
        encrypted.write("GET /hello HTTP/1.0\r\n\r\n");
        String asked = new String(encrypted.readToEnd(), StandardCharsets.US_ASCII);
        assertTrue(asked.startsWith("HTTP/1.0 403 "), asked);
    }

    /** A message as encoded between two authenticated envs. */
    private static byte[] messageBytes() {
        WireOutput frame = new FrameWriter(TestEnvs.MEBIBYTE)
                .send(
                        RecordingEndpoint.ENDPOINT,
                        new ProtocolCodec(RecordingEndpoint.PROTOCOL),
                        new RecordingEndpoint.Say("x", 1));
        return ByteBuffer.allocate(Integer.BYTES + frame.size())
                .putInt(frame.size())
                .put(frame.array(), 0, frame.size())
                .array();
    }

    private static byte[] hello(int kind, String scope) {
        byte[] name = scope.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(4 + name.length)
                .putShort((short) (2 + name.length))
                .put((byte) kind)
                .put((byte) name.length)
                .put(name)
                .array();
    }

    private static CompletionStage<Answer> ask(Peer peer, int number) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }
}
