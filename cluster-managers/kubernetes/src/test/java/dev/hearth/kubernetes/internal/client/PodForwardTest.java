package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.seat.FileReceiver;
import dev.hearth.kubernetes.internal.seat.SeatInstructions;
import dev.hearth.kubernetes.internal.seat.UploadClient;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.machine.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ports of pods that an API server forwards, against a server that speaks the protocol, and uploads over them. */
@Timeout(60)
class PodForwardTest {
    private static final byte[] PORT = {(byte) 7076, 7076 >> 8};

    @TempDir
    private Path home;

    private final BlockingQueue<byte[]> arrived = new LinkedBlockingQueue<>();
    private StubApiServer stub;
    private ApiServer server;

    @BeforeEach
    void open() throws IOException {
        stub = StubApiServer.plain();
        server = new StubAccess(home).open("k8s://http://127.0.0.1:" + stub.port(), "namespace", "team");
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        stub.close();
    }

    /** Behaviour of the stub after the begin of both channels. */
    @FunctionalInterface
    private interface Pod {
        void serve(StubWebSocket socket) throws Exception;
    }

    private void answer(Pod pod) {
        stub.answer(exchange -> {
            StubWebSocket socket = exchange.upgrade();
            socket.write(0, PORT, 100);
            socket.write(1, PORT, 100);
            pod.serve(socket);
        });
    }

    private void readAll(StubWebSocket socket) throws IOException {
        while (true) {
            arrived.add(socket.read());
        }
    }

    private ApiServer.ForwardedPort forward() throws IOException {
        return server.forward("pi-driver", 7076);
    }

    @Test
    void carriesBytesInBothDirections() throws Exception {
        answer(socket -> {
            socket.write(0, "hello ".getBytes(UTF_8), 1); // a frame for each byte
            socket.write(0, new byte[0], 100);
            socket.write(0, "world".getBytes(UTF_8), 3);
            readAll(socket);
        });
        try (ApiServer.ForwardedPort port = forward()) {
            assertEquals("hello world", new String(port.in().readNBytes(11), UTF_8));
            port.out().write("abc".getBytes(UTF_8));
            port.out().write('d');
            assertArrayEquals(new byte[] {0, 'a', 'b', 'c'}, arrived.poll(30, TimeUnit.SECONDS));
            assertArrayEquals(new byte[] {0, 'd'}, arrived.poll(30, TimeUnit.SECONDS));
        }
        assertEquals(List.of("GET /api/v1/namespaces/team/pods/pi-driver/portforward?ports=7076 -"), stub.log());
        assertEquals("v4.channel.k8s.io", stub.requests.get(0).headers().get("sec-websocket-protocol"));
    }

    @Test
    void carriesLargeMessagesInManyFrames() throws Exception {
        byte[] large = new byte[60_000];
        new Random(1).nextBytes(large);
        answer(socket -> {
            for (int i = 0; i < 20; i++) {
                socket.write(0, large, 1 + i * 3_000);
            }
            readAll(socket);
        });
        try (ApiServer.ForwardedPort port = forward()) {
            for (int i = 0; i < 20; i++) {
                assertArrayEquals(large, port.in().readNBytes(large.length));
            }
        }
    }

    @Test
    void failsWithTheWordsOfTheErrorChannel() throws Exception {
        answer(socket -> {
            socket.write(0, "ab".getBytes(UTF_8), 100);
            socket.write(1, "error forwarding port 7076 to pod: connection refused\n".getBytes(UTF_8), 7);
            readAll(socket);
        });
        try (ApiServer.ForwardedPort port = forward()) {
            assertEquals("ab", new String(port.in().readNBytes(2), UTF_8), "what came before the error is there");
            IOException refused =
                    assertThrows(IOException.class, () -> port.in().read());
            assertEquals(
                    "port 7076 of pod pi-driver: error forwarding port 7076 to pod: connection refused",
                    refused.getMessage());
            assertEquals(
                    refused.getMessage(),
                    assertThrows(IOException.class, () -> port.in().read()).getMessage());
            assertThrows(IOException.class, () -> port.out().write(1));
        }
    }

    @Test
    void failsWhenTheConnectionEndsEarly() throws Exception {
        answer(socket -> socket.close(1001));
        try (ApiServer.ForwardedPort port = forward()) {
            IOException closed = assertThrows(IOException.class, () -> port.in().read());
            assertEquals("port 7076 of pod pi-driver: the API server ended the connection", closed.getMessage());
        }
    }

    @Test
    void failsWhenTheConnectionBreaks() throws Exception {
        answer(socket -> {
            socket.read(); // the client of Java may miss an end that comes with the handshake
            throw new IOException("cut, without a word");
        });
        try (ApiServer.ForwardedPort port = forward()) {
            port.out().write('a');
            IOException broken = assertThrows(IOException.class, () -> port.in().read());
            assertEquals("port 7076 of pod pi-driver: the API server ended the connection", broken.getMessage());
        }
    }

    @Test
    void saysWhatTheServerRefuses() throws Exception {
        stub.answer(exchange -> exchange.reply(
                403, "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"pods is forbidden: User\"}"));
        IOException refused = assertThrows(IOException.class, this::forward);
        assertEquals("port 7076 of pod pi-driver: HTTP status 403", refused.getMessage());
    }

    @Test
    void triesAgainWithANewToken() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "old");
        try (ApiServer other = new StubAccess(home)
                .open(
                        "k8s://http://127.0.0.1:" + stub.port(),
                        "namespace",
                        "team",
                        "authenticate.oauthTokenFile",
                        token.toString())) {
            Files.writeString(token, "new");
            stub.answer(exchange -> {
                if (exchange.request.line().endsWith(" Bearer new")) {
                    readAll(exchange.upgrade());
                } else {
                    exchange.reply(401, "{}");
                }
            });
            other.forward("pi-driver", 7076).close();
            assertEquals(2, stub.requests.size());
        }
    }

    @Test
    void waitsForAServerThatReadsSlowly() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        AtomicInteger read = new AtomicInteger();
        CompletableFuture<Void> whole = new CompletableFuture<>();
        int messages = 400;
        byte[] content = new byte[64 * 1024];
        answer(socket -> {
            begin.await(30, TimeUnit.SECONDS);
            for (int i = 0; i < messages; i++) {
                read.addAndGet(socket.read().length - 1);
            }
            whole.complete(null);
            readAll(socket);
        });
        try (ApiServer.ForwardedPort port = forward()) {
            AtomicInteger written = new AtomicInteger();
            Thread writer = new Thread(() -> {
                try {
                    for (int i = 0; i < messages; i++) {
                        port.out().write(content);
                        written.incrementAndGet();
                    }
                } catch (IOException failure) {
                    whole.completeExceptionally(failure);
                }
            });
            writer.start();
            // it parks between looks at the queue, once that and the buffers of the sockets are full
            Eventually.until(
                    "a writer that waits",
                    () -> writer.getState() == Thread.State.TIMED_WAITING || !writer.isAlive(),
                    Duration.ofSeconds(30));
            assertTrue(writer.isAlive(), () -> "it has ended: " + whole);
            assertTrue(written.get() < messages, "26 MB are not in memory");
            begin.countDown();
            whole.get(30, TimeUnit.SECONDS);
            writer.join();
            assertEquals(messages * content.length, read.get());
        }
    }

    /** A stub that forwards to a real port of this machine, as the kubelet does; it ends after {@code bytesMax} bytes. */
    private void forwardTo(int port, long bytesMax) {
        answer(socket -> {
            try (Socket pod = new Socket(InetAddress.getLoopbackAddress(), port)) {
                Thread back = new Thread(() -> {
                    try {
                        byte[] buffer = new byte[1000];
                        InputStream in = pod.getInputStream();
                        for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                            ByteArrayOutputStream part = new ByteArrayOutputStream();
                            part.write(buffer, 0, count);
                            socket.write(0, part.toByteArray(), 17);
                        }
                    } catch (IOException closed) {
                        // with the connection
                    }
                });
                back.start();
                OutputStream out = pod.getOutputStream();
                long left = bytesMax;
                while (left > 0) {
                    byte[] message = socket.read();
                    out.write(message, 1, message.length - 1);
                    left -= message.length - 1;
                }
            } catch (EOFException closed) {
                // by the client
            }
        });
    }

    @Test
    void goesOnWithAnUploadThatWasCut() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(5).nextBytes(content);
        Path file = Files.write(home.resolve("large.jar"), content);
        String sha256 = ContentId.of(file).sha256();
        Path target = home.resolve("pod").resolve(sha256).resolve("large.jar");
        SeatInstructions instructions = new SeatInstructions(
                "s",
                "p",
                "",
                false,
                "proof-1",
                List.of(new SeatInstructions.Upload(sha256, content.length, target.toString())),
                List.of());
        FileReceiver receiver = FileReceiver.open(instructions, 0);
        CompletableFuture<Void> received = CompletableFuture.runAsync(() -> {
            try {
                receiver.receive(Duration.ofMinutes(1));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        });
        List<Long> progress = new ArrayList<>();
        UploadClient client =
                new UploadClient("proof-1", Map.of(sha256, file), (path, sent, bytes) -> progress.add(sent));
        forwardTo(receiver.port(), 2_000_000);
        try (ApiServer.ForwardedPort port = forward()) {
            assertThrows(IOException.class, () -> client.send(port.in(), port.out()));
        }
        progress.clear();
        forwardTo(receiver.port(), Long.MAX_VALUE);
        try (ApiServer.ForwardedPort port = forward()) {
            assertEquals(List.of(), client.send(port.in(), port.out()));
        }
        received.get(30, TimeUnit.SECONDS);
        assertArrayEquals(content, Files.readAllBytes(target));
        assertTrue(progress.get(0) > 1_500_000, () -> "begins at " + progress.get(0));
    }
}
