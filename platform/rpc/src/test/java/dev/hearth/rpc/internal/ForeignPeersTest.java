package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections with other programs, with other releases, and with peers that break the protocol. */
class ForeignPeersTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    private final TestEnvs envs = new TestEnvs();
    private final RpcEnv server = envs.open(TestEnvs.settings(true, TestEnvs.MEBIBYTE, 100, SHORT));
    private final RecordingEndpoint serverTalk = RecordingEndpoint.register(server, envs.loop("server"));
    private final RpcEnv client = envs.open(TestEnvs.settings(false, TestEnvs.MEBIBYTE, 100, SHORT));
    private final RecordingEndpoint clientTalk = RecordingEndpoint.register(client, envs.loop("client"));

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0001", "HRTX", "\n"})
    void closesConnectionsThatAreNotOurs(String first) throws Exception {
        RawConnection raw = envs.keep(RawConnection.to(address()));
        raw.write(first);
        assertEquals(0, raw.readToEnd().length, "nothing is said to strangers");
        assertServes();
    }

    @Test
    void remotePeersCannotForgeLogLines() throws Exception {
        byte[] name = "x\n2026 WARN forged \u001b[2J".getBytes(StandardCharsets.US_ASCII);
        byte[] hello = {0, (byte) (name.length + 2), 1, (byte) name.length};
        byte[] preamble = Arrays.copyOf(RawConnection.FIRST, 8);
        try (RecordedLogs.Recording logs = RecordedLogs.begin()) {
            RawConnection named = envs.keep(RawConnection.to(address()));
            named.write(RawConnection.join(preamble, RawConnection.join(hello, name)));
            String text = new String(named.readToEnd(), StandardCharsets.US_ASCII);
            assertTrue(text.contains("forged"), text);
            RawConnection http = envs.keep(RawConnection.to(address()));
            http.greet().write("GET \u001b[2J");
            http.readToEnd();
            List<String> refusals = logs.lines().stream()
                    .filter(line -> line.contains("refused"))
                    .toList();
            assertTrue(refusals.stream().anyMatch(line -> line.contains("forged")), refusals::toString);
            assertTrue(
                    refusals.stream().noneMatch(line -> line.chars().anyMatch(Character::isISOControl)),
                    refusals::toString);
        }
        assertServes();
    }

    @Test
    void answersHttpOnThePortOfMessages() throws Exception {
        Registration registration =
                server.serve("/hello", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "hello")));
        RawConnection raw = envs.keep(RawConnection.to(address()));
        raw.write("GET /hello HTTP/1.0\r\n\r\n");
        String answer = new String(raw.readToEnd(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.0 200 OK\r\n") && answer.endsWith("\r\n\r\nhello"), answer);
        RawConnection late = envs.keep(RawConnection.to(address()));
        for (String part : List.of("\r", "\n\r\n", "GET /hello HT", "TP/1.0\r\n\r\n")) {
            late.write(part);
        }
        assertTrue(
                new String(late.readToEnd(), StandardCharsets.US_ASCII).startsWith("HTTP/1.0 200 OK\r\n"),
                "empty lines before a request are ignored");
        registration.close();
        RawConnection after = envs.keep(RawConnection.to(address()));
        after.write("GET /hello HTTP/1.0\r\n\r\n");
        assertTrue(new String(after.readToEnd(), StandardCharsets.US_ASCII).startsWith("HTTP/1.0 404 "));
        assertThrows(
                IllegalStateException.class,
                () -> client.serve("/", request -> CompletableFuture.completedStage(HttpAnswer.empty(204))));
        assertServes();
    }

    @Test
    void closesConnectionsThatSayTooLittleInTime() throws Exception {
        RawConnection silent = envs.keep(RawConnection.to(address()));
        RawConnection slow = envs.keep(RawConnection.to(address()));
        slow.write("HRT");
        assertEquals(0, silent.readToEnd().length);
        assertEquals(0, slow.readToEnd().length);
        assertServes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"})
    void saysThatItMetHttp(String answer) throws Exception {
        SilentServer http = envs.keep(new SilentServer());
        CompletionStage<Peer> attempt = client.connect(http.address());
        RawConnection connection = http.awaitConnection();
        assertEquals("HRTH", new String(connection.read(8), 0, 4, StandardCharsets.US_ASCII));
        connection.write(answer);
        HearthException failure = TestEnvs.failure(attempt);
        assertEquals(ErrorCode.PROTOCOL_MISMATCH.name(), failure.code());
        assertTrue(text(failure).startsWith(http.address() + ": "), () -> text(failure));
        assertTrue(text(failure).contains("looks like HTTP"), () -> text(failure));
    }

    @Test
    void givesUpOnAServerThatSaysNothing() throws Exception {
        SilentServer silent = envs.keep(new SilentServer());
        HearthException failure = TestEnvs.failure(client.connect(silent.address()));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failure.code());
        assertTrue(text(failure).contains("no handshake within 200 ms"), () -> text(failure));
    }

    @Test
    void givesUpOnAServerThatHangsUp() throws Exception {
        SilentServer server = envs.keep(new SilentServer());
        CompletionStage<Peer> attempt = client.connect(server.address());
        RawConnection connection = server.awaitConnection();
        connection.read(8);
        connection.close();
        HearthException failure = TestEnvs.failure(attempt);
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failure.code());
        assertTrue(text(failure).contains("closed the connection during the handshake"), () -> text(failure));
    }

    @Test
    void usesTheHighestVersionBothSpeak() throws Exception {
        RpcEnv newer = envs.open(TestEnvs.settings(false, TestEnvs.MEBIBYTE, 100, SHORT), new Preamble(1, 7));
        Peer peer = TestEnvs.await(newer.connect(address()));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, 1)));
    }

    @Test
    void saysBothRangesWhenNoVersionIsCommon() throws Exception {
        RpcEnv newer = envs.open(TestEnvs.settings(true, TestEnvs.MEBIBYTE, 100, SHORT), new Preamble(3, 7));
        for (CompletionStage<Peer> attempt :
                List.of(newer.connect(address()), client.connect(newer.address().orElseThrow()))) {
            HearthException failure = TestEnvs.failure(attempt);
            assertEquals(ErrorCode.PROTOCOL_MISMATCH.name(), failure.code());
            assertTrue(
                    text(failure).contains("version 1") && text(failure).contains("versions 3 to 7"),
                    () -> text(failure));
        }
    }

    @Test
    void takesFramesThatCameWithTheHandshakeOrByteByByte() throws Exception {
        ProtocolCodec codec = new ProtocolCodec(RecordingEndpoint.PROTOCOL);
        FrameWriter frames = new FrameWriter(TestEnvs.MEBIBYTE);
        byte[] sent = bytes(frames.send(RecordingEndpoint.ENDPOINT, codec, new RecordingEndpoint.Say("raw", 1)));
        RawConnection raw = envs.keep(RawConnection.to(address()));
        raw.write(RawConnection.join(RawConnection.FIRST, sent));
        raw.read(RawConnection.ANSWER_BYTES);
        for (byte each : bytes(frames.ask(5, RecordingEndpoint.ENDPOINT, codec, new Question(Wish.ECHO, 2)))) {
            raw.write(each);
        }
        byte[] answer = raw.readFrame();
        assertEquals(MessageFrameKind.ANSWER.code(), answer[0]);
        assertEquals(List.of("raw 1", "ECHO 2"), serverTalk.untilSize(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1048577", "2147483647"})
    void closesAtLengthsThatNoFrameHas(String length) throws Exception {
        RawConnection raw = envs.keep(RawConnection.to(address())).greet();
        byte[] frame = ByteBuffer.allocate(4).putInt(Integer.parseInt(length)).array();
        raw.write(frame);
        assertEquals(0, raw.readToEnd().length);
        String lost = serverTalk.untilLost().get(0);
        assertTrue(lost.contains("expected: 1 to 1048576"), lost);
        assertServes();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void survivesRandomFrames(long seed) throws Exception {
        Random random = new Random(seed);
        int connections = 25;
        for (int i = 0; i < connections; i++) {
            byte[] frame = new byte[4 + 1 + random.nextInt(60)];
            random.nextBytes(frame);
            ByteBuffer.wrap(frame).putInt(frame.length - 4).put((byte) random.nextInt(6));
            try (RawConnection raw = RawConnection.to(address()).greet()) {
                raw.write(frame);
            }
        }
        serverTalk.untilLosses(connections);
        assertServes();
    }

    @Test
    void closesTheConnectionRatherThanLoseASendItCannotRead() throws Exception {
        RawConnection raw = envs.keep(RawConnection.to(address())).greet();
        raw.write(new byte[] {0, 0, 0, 7, 1, 4, 't', 'a', 'l', 'k', 99});
        assertEquals(0, raw.readToEnd().length);
        String lost = serverTalk.untilLost().get(0);
        assertTrue(lost.contains("message number 99"), lost);
    }

    @Test
    void ignoresAnswersWithoutAWaitingAsk() throws Exception {
        SilentServer other = envs.keep(new SilentServer());
        CompletionStage<Peer> attempt = client.connect(other.address());
        RawConnection raw = other.awaitConnection();
        raw.welcome();
        Peer peer = TestEnvs.await(attempt);
        CompletionStage<Answer> answer = ask(peer, 1);
        long id = raw.readFrame()[1] / 2; // a small number: its zigzag form is one byte
        ProtocolCodec codec = new ProtocolCodec(RecordingEndpoint.PROTOCOL);
        FrameWriter frames = new FrameWriter(TestEnvs.MEBIBYTE);
        raw.write(bytes(frames.answer(id + 1, codec, new Answer(-1))));
        raw.write(bytes(frames.answer(id, codec, new Answer(1))));
        raw.write(bytes(frames.answer(id, codec, new Answer(2))));
        raw.write(bytes(frames.failure(id, "INTERNAL", "late")));
        assertEquals(new Answer(1), TestEnvs.await(answer));
        CompletionStage<Answer> refused = ask(peer, 2);
        raw.readFrame();
        raw.write(bytes(frames.failure(id + 1, "CODE_OF_A_NEWER_RELEASE", "no")));
        assertEquals("CODE_OF_A_NEWER_RELEASE", TestEnvs.failure(refused).code());
        raw.write(new byte[] {0, 0, 0, 9}); // a truncated frame
        raw.close();
        assertEquals(1, clientTalk.untilLost().size());
    }

    private RpcAddress address() {
        return server.address().orElseThrow();
    }

    private void assertServes() throws Exception {
        Peer peer = TestEnvs.await(client.connect(address()));
        assertEquals(new Answer(9), TestEnvs.await(ask(peer, 9)));
    }

    private static CompletionStage<Answer> ask(Peer peer, int number) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }

    private static byte[] bytes(WireOutput frame) {
        return ByteBuffer.allocate(Integer.BYTES + frame.size())
                .putInt(frame.size())
                .put(frame.array(), 0, frame.size())
                .array();
    }

    private static String text(HearthException failure) {
        return String.valueOf(failure.getMessage());
    }
}
