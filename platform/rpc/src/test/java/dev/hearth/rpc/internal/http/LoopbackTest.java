package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.EventSource.Event;
import dev.hearth.spi.http.EventSource.Listener;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real sockets: the JDK's HTTP client, hostile clients, files, TLS, and handlers that are unregistered under load. */
class LoopbackTest {
    private static final int FILE_BYTES = 20_000_000;

    @TempDir
    private Path directory;

    @Test
    void servesTheHttpClientOfTheJdk() throws Exception {
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve("/echo", request -> stage(HttpAnswer.bytes(200, "text/plain", request.body())));
            HttpClient client = HttpClient.newHttpClient();
            byte[] body = new byte[300_000];
            new Random(1).nextBytes(body);
            HttpRequest request = HttpRequest.newBuilder(uri("http", server, "/echo"))
                    .timeout(Duration.ofMillis(LoopbackServer.BOUND_MILLIS))
                    .expectContinue(true)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
            }
            for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
                HttpResponse<byte[]> response = answer.get(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
                assertEquals(200, response.statusCode());
                assertTrue(MessageDigest.isEqual(body, response.body()), "another body");
            }
            assertEquals(0, server.lane.counts().bodyBytes());
        }
    }

    @Test
    void sendsFilesWholeAndInParts() throws Exception {
        byte[] content = content();
        Path file = Files.write(directory.resolve("file"), content);
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve("/f", request -> stage(HttpAnswer.file("application/octet-stream", file)));
            checkFile(HttpClient.newHttpClient(), uri("http", server, "/f"), content);
        }
    }

    @Test
    void sendsFilesOverTls() throws Exception {
        KeyStore keys = keys();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SslContext tls =
                SslContextBuilder.forServer(managers).protocols("TLSv1.3").build();
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext client = SSLContext.getInstance("TLSv1.3");
        client.init(null, trust.getTrustManagers(), null);
        byte[] content = content();
        Path file = Files.write(directory.resolve("file"), content);
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.of(tls))) {
            server.lane.serve(
                    "/f",
                    request -> stage(
                            request.secure()
                                    ? HttpAnswer.file("application/octet-stream", file)
                                    : HttpAnswer.empty(500)));
            checkFile(HttpClient.newBuilder().sslContext(client).build(), uri("https", server, "/f"), content);
        }
    }

    @Test
    void letsPagesListen() throws Exception {
        BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
        CountDownLatch closed = new CountDownLatch(1);
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve(
                    "/events",
                    request -> stage(HttpAnswer.events((listener, last) -> {
                        listener.whenClosed(closed::countDown);
                        listeners.add(listener);
                    })));
            HttpResponse<InputStream> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri("http", server, "/events")).build(), BodyHandlers.ofInputStream());
            Listener listener = listeners.poll(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
            for (int i = 0; i < 1_000; i++) {
                assertTrue(listener.send(new Event(Integer.toString(i), "", "event " + i)));
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
            for (int i = 0; i < 1_000; i++) {
                String line = lines.readLine();
                while (!line.startsWith("data:")) {
                    line = lines.readLine();
                }
                assertEquals("data: event " + i, line);
            }
            response.body().close();
            assertTrue(closed.await(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS), "its end went unnoticed");
        }
    }

    @Test
    void disconnectsAClientThatDoesNotRead() throws Exception {
        BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
        CountDownLatch closed = new CountDownLatch(1);
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty());
                Socket page = server.connect()) {
            server.lane.serve(
                    "/events",
                    request -> stage(HttpAnswer.events((listener, last) -> {
                        listener.whenClosed(closed::countDown);
                        listeners.add(listener);
                    })));
            LoopbackServer.say(page, EmbeddedHttpLane.request("GET", "/events"));
            Listener listener = listeners.poll(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
            Event event = Event.of("", "a".repeat(100_000));
            int sent = 0;
            while (sent < 10_000 && listener.send(event)) {
                sent++;
            }
            assertTrue(sent < 10_000, "a gigabyte was taken for a page that does not read");
            assertTrue(closed.await(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS));
            assertEquals(1, server.lane.counts().slowListeners());
        }
    }

    @Test
    void deliversAResponseSentBeforeTheRequestIsRead() throws Exception {
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty());
                Socket socket = server.connect()) {
            server.lane.serve("/", request -> stage(HttpAnswer.empty(204)));
            LoopbackServer.say(
                    socket, EmbeddedHttpLane.request("POST", "/", "Content-Length: 900000000") + "a".repeat(500_000));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertEquals(413, EmbeddedHttpLane.status(answer), answer);
        }
    }

    @Test
    void finishesEveryRequestWhileHandlersComeAndGo() throws Exception {
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve("/", request -> stage(HttpAnswer.text(200, "fallback")));
            AtomicInteger calls = new AtomicInteger();
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request =
                    HttpRequest.newBuilder(uri("http", server, "/a")).build();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Registration registration = server.lane.serve("/a", asked -> {
                    calls.incrementAndGet();
                    return CompletableFuture.supplyAsync(() -> HttpAnswer.text(200, "handler"));
                });
                answers.add(client.sendAsync(request, BodyHandlers.ofString()));
                if (i % 2 == 0) {
                    answers.get(i).get(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
                }
                registration.close();
            }
            int handled = 0;
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                HttpResponse<String> response = answer.get(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
                assertEquals(200, response.statusCode());
                handled += response.body().equals("handler") ? 1 : 0;
            }
            assertEquals(calls.get(), handled, "every call was answered");
        }
    }

    @Test
    void endsStreamsAndConnectionsWithItself() throws Exception {
        BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
        LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty());
        try (server;
                Socket idle = server.connect();
                Socket page = server.connect()) {
            server.lane.serve(
                    "/events", request -> stage(HttpAnswer.events((listener, last) -> listeners.add(listener))));
            LoopbackServer.say(idle, EmbeddedHttpLane.request("GET", "/nowhere"));
            assertEquals('H', idle.getInputStream().read());
            LoopbackServer.say(page, EmbeddedHttpLane.request("GET", "/events"));
            Listener listener = listeners.poll(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
            server.lane.close();
            String events = new String(page.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(events.endsWith("0\r\n\r\n"), events);
            assertFalse(listener.send(Event.of("", "x")));
            idle.getInputStream().readAllBytes(); // until the end of the stream
        }
    }

    private static void checkFile(HttpClient client, URI uri, byte[] content) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofMillis(LoopbackServer.BOUND_MILLIS));
        HttpResponse<byte[]> whole = client.send(request.build(), BodyHandlers.ofByteArray());
        assertTrue(MessageDigest.isEqual(content, whole.body()), "another file");
        HttpResponse<byte[]> part =
                client.send(request.header("Range", "bytes=1000000-1999999").build(), BodyHandlers.ofByteArray());
        assertEquals(206, part.statusCode());
        assertTrue(MessageDigest.isEqual(Arrays.copyOfRange(content, 1_000_000, 2_000_000), part.body()));
    }

    private static byte[] content() {
        byte[] content = new byte[FILE_BYTES];
        new Random(2).nextBytes(content);
        return content;
    }

    /** A key from the JDK's keytool, for the host that the tests connect to. */
    private KeyStore keys() throws Exception {
        Path file = directory.resolve("keys.p12");
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String[] command = {
            tool.toString(),
            "-genkeypair",
            "-keystore",
            file.toString(),
            "-storepass",
            "changeit",
            "-keyalg",
            "EC",
            "-alias",
            "test",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=ip:127.0.0.1,dns:localhost",
            "-validity",
            "2"
        };
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyStore both = KeyStore.getInstance("PKCS12"); // the key, and its certificate as a trusted one
        both.load(null, null);
        both.setKeyEntry(
                "key",
                keys.getKey("test", "changeit".toCharArray()),
                "changeit".toCharArray(),
                keys.getCertificateChain("test"));
        both.setCertificateEntry("trusted", keys.getCertificate("test"));
        return both;
    }

    private static URI uri(String scheme, LoopbackServer server, String path) {
        return URI.create(scheme + "://127.0.0.1:" + server.port() + path);
    }

    private static CompletionStage<HttpAnswer> stage(HttpAnswer answer) {
        return CompletableFuture.completedStage(answer);
    }
}
