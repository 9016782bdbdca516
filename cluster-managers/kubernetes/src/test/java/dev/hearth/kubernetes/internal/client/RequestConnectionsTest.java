package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.OBJECT;
import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.answer;
import static dev.hearth.kubernetes.internal.client.StubAccess.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are kept, and the forms of responses. */
class RequestConnectionsTest {
    @TempDir
    private Path home;

    private StubApiServer stub;
    private ApiServer server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

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

    private void answers(StubApiServer.Handler handler) {
        stub.answer(exchange -> {
            sockets.add(exchange.socket);
            handler.handle(exchange);
        });
    }

    private Answer write() throws Exception {
        return answer(to -> server.create(OBJECT, to));
    }

    @Test
    void keepsAConnection() throws Exception {
        answers(exchange -> exchange.reply(200, POD));
        for (int i = 0; i < 3; i++) {
            assertInstanceOf(Answer.Done.class, read(server));
            assertInstanceOf(Answer.Done.class, write());
        }
        assertEquals(1, sockets.size());
        assertEquals("127.0.0.1:" + stub.port(), stub.requests.get(0).headers().get("host"));
    }

    @Test
    void endsAConnectionWhenTheServerDemandsIt() throws Exception {
        answers(exchange -> exchange.reply(200, POD, "Connection: close"));
        for (int i = 0; i < 3; i++) {
            assertInstanceOf(Answer.Done.class, write());
        }
        assertEquals(3, sockets.size());
    }

    @Test
    void readsAgainWhatAnEndedConnectionCannotAnswerAndWritesNothingAgain() throws Exception {
        answers(exchange -> exchange.reply(200, POD));
        assertInstanceOf(Answer.Done.class, write());
        answers(exchange -> {
            if (stub.requests.size() == 2) {
                throw new IOException("the connection ends without an answer");
            }
            exchange.reply(200, POD);
        });
        assertInstanceOf(Answer.Done.class, read(server));
        assertEquals(3, stub.requests.size(), "one write, one read and its repetition");
        assertEquals(2, sockets.size());

        answers(exchange -> {
            throw new IOException("the connection ends without an answer");
        });
        assertInstanceOf(Answer.Unknown.class, write());
        assertEquals(4, stub.requests.size());
    }

    @Test
    void readsResponsesOfAllForms() throws Exception {
        answers(exchange -> {
            exchange.begin(200);
            for (int i = 0; i < POD.length(); i += 7) {
                exchange.chunk(POD.substring(i, Math.min(POD.length(), i + 7)));
            }
            exchange.endChunks();
        });
        assertInstanceOf(Answer.Done.class, write());
        assertInstanceOf(Answer.Done.class, write());
        assertEquals(1, sockets.size());

        answers(exchange -> raw(
                exchange,
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\ncontent-LENGTH:" + POD.length() + "\r\n\r\n" + POD));
        assertInstanceOf(Answer.Done.class, write());
        answers(exchange -> {
            raw(exchange, "HTTP/1.0 200 OK\r\n\r\n" + POD);
            throw new IOException("the end of the connection is that of the response");
        });
        assertInstanceOf(Answer.Done.class, write());
    }

    private static void raw(StubApiServer.Exchange exchange, String text) throws IOException {
        exchange.out.write(text.getBytes(StandardCharsets.UTF_8));
        exchange.out.flush();
    }

    @Test
    void understandsNoOtherProtocol() throws Exception {
        for (String text : List.of(
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 OK\r\n\r\n")) {
            answers(exchange -> raw(exchange, text));
            assertInstanceOf(Answer.Unknown.class, write(), text);
        }
    }

    @Test
    void sendsNoLineThatANameBringsAlong() throws Exception {
        answers(exchange -> exchange.reply(200, POD));
        Answer answer = answer(to -> server.read(Resource.POD, "a HTTP/1.1\r\nX: y", to));
        assertTrue(
                answer instanceof Answer.Unknown unknown && unknown.words().contains("characters"), answer::toString);
        assertEquals(List.of(), stub.log());
    }

    @Test
    void opensFurtherConnectionsWhenTheFirstAreSlow() throws Exception {
        CountDownLatch all = new CountDownLatch(2 * RequestConnections.PROMPT);
        answers(exchange -> {
            all.countDown();
            assertTrue(await(all), "each request is on its way");
            exchange.reply(200, POD);
        });
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 2 * RequestConnections.PROMPT; i++) {
            CompletableFuture<Answer> one = new CompletableFuture<>();
            server.create(OBJECT, one::complete);
            answers.add(one);
        }
        for (CompletableFuture<Answer> one : answers) {
            assertInstanceOf(Answer.Done.class, one.get(30, TimeUnit.SECONDS));
        }
        assertEquals(2 * RequestConnections.PROMPT, sockets.size());
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void answersManyRequestsAtOnceByFewConnections() throws Exception {
        answers(exchange -> exchange.reply(200, POD));
        for (int round = 0; round < 3; round++) {
            List<CompletableFuture<Answer>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Answer> one = new CompletableFuture<>();
                server.create(OBJECT, one::complete);
                all.add(one);
            }
            for (CompletableFuture<Answer> one : all) {
                assertInstanceOf(Answer.Done.class, one.get(30, TimeUnit.SECONDS));
            }
        }
        assertEquals(60, stub.requests.size());
        assertTrue(sockets.size() <= 20, () -> sockets.size() + " connections");
    }
}
