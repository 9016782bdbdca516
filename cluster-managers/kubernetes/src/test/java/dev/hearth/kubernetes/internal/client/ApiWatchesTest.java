package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches, in parts of any size and with each way to end (H3). */
class ApiWatchesTest {
    private static final String EVENTS =
            "{\"type\":\"ADDED\",\"object\":" + POD + "}\n{\"type\":\"MODIFIED\",\"object\":"
                    + POD.replace("\"node-1\"", "\"kn\u00f6t\u20ac\ud83d\ude00\"")
                    + "}\n{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"12\"}}}\n"
                    + "{\"type\":\"DELETED\",\"object\":" + POD + "}\n";
    private static final List<String> HEARD =
            List.of("changed node-1", "changed kn\u00f6t\u20ac\ud83d\ude00", "bookmark 12", "deleted a-exec-1");

    @TempDir
    private Path home;

    private final StubAccess.Heard heard = new StubAccess.Heard();
    private StubApiServer stub;
    private ApiServer server;

    @BeforeEach
    void open() throws IOException {
        stub = StubApiServer.plain();
        server = new StubAccess(home)
                .open("k8s://http://127.0.0.1:" + stub.port(), "namespace", "team", "driver.requestTimeout", "500");
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        stub.close();
    }

    private ApiServer.Watch watch() {
        return server.watch(Resource.POD, "a=b", "7", heard);
    }

    private void requireAll() throws InterruptedException {
        for (String expected : HEARD) {
            assertEquals(expected, heard.next());
        }
    }

    @Test
    void readsEachByteInAChunkOfItsOwn() throws Exception {
        stub.answer(exchange -> {
            exchange.begin(200);
            for (byte one : EVENTS.getBytes(UTF_8)) { // also within characters of two, three and four bytes
                exchange.chunk(new byte[] {one});
            }
            exchange.endChunks();
        });
        watch();
        requireAll();
        assertEquals("ended Done", heard.next());
        assertEquals(
                "GET /api/v1/namespaces/team/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=270"
                        + "&labelSelector=a%3Db&resourceVersion=7 -",
                stub.log().get(0));
    }

    @Test
    void readsSeveralEventsInOneChunk() throws Exception {
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk(EVENTS + EVENTS);
            exchange.endChunks();
        });
        watch();
        requireAll();
        requireAll();
        assertEquals("ended Done", heard.next());
    }

    @Test
    void readsAnObjectOfAMebibyte() throws Exception {
        String large = POD.replace("\"new\":{}", "\"new\":\"" + "\u20ac".repeat(1024 * 1024 / 3) + "\"");
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk("{\"type\":\"ADDED\",\"object\":" + large + "}\n" + EVENTS);
            exchange.endChunks();
        });
        watch();
        assertEquals("changed node-1", heard.next());
        requireAll();
    }

    @Test
    void endsByAnErrorEventOnce() throws Exception {
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
                    + "\"message\":\"too old resource version: 1 (9)\"}}\n" + EVENTS);
            exchange.in.read(); // until the client closes
        });
        watch();
        assertEquals("ended GONE", heard.next());
        stub.close();
        server.close();
        assertTrue(heard.words().isEmpty(), heard::toString);
    }

    @Test
    void endsWithoutAnAnswerByAReset() throws Exception {
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk(EVENTS);
            exchange.chunk("{\"type\":\"ADD");
            heard.words().add("written");
            exchange.in.read();
        });
        watch();
        for (int i = 0; i <= HEARD.size(); i++) {
            heard.next();
        }
        stub.requests.clear();
        stub.disconnect();
        assertEquals("ended Unknown", heard.next());
        assertEquals(List.of(), stub.log());
    }

    @Test
    void endsWithoutAnAnswerByAnObjectThatCannotBeRead() throws Exception {
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk("{\"type\":\"ADDED\",\"object\":<\n");
            exchange.in.read();
        });
        watch();
        assertEquals("ended Unknown", heard.next());
    }

    @Test
    void waitsForAServerThatIsSilent() throws Exception {
        CountDownLatch others = new CountDownLatch(3);
        stub.answer(exchange -> {
            if (exchange.request.target().contains("watch=true")) {
                exchange.begin(200);
                others.await(30, TimeUnit.SECONDS); // longer than a request may take
                exchange.chunk(EVENTS);
                exchange.endChunks();
            } else {
                exchange.in.read();
            }
        });
        watch();
        for (int i = 0; i < 3; i++) {
            server.read(Resource.POD, "a", answer -> others.countDown()); // each ends by its time
            long left = others.getCount();
            Eventually.until("an end", () -> others.getCount() < left || left == 0, Duration.ofSeconds(30));
        }
        requireAll();
        assertEquals("ended Done", heard.next());
    }

    @Test
    void closesAConnectionThatIsHalfOpen() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        stub.answer(exchange -> {
            exchange.begin(200);
            exchange.chunk(EVENTS);
            assertEquals(-1, exchange.in.read());
            closed.countDown();
        });
        ApiServer.Watch watch = watch();
        requireAll();
        watch.stop(); // as the mirror does after 90 s of silence
        assertTrue(closed.await(30, TimeUnit.SECONDS));
        assertTrue(heard.words().isEmpty(), heard::toString);
    }

    @Test
    void tellsThatAWatchIsRefused() throws Exception {
        stub.answer(exchange -> exchange.reply(403, "{\"message\":\"pods is forbidden\"}"));
        watch();
        assertEquals("ended DENIED", heard.next());
    }
}
