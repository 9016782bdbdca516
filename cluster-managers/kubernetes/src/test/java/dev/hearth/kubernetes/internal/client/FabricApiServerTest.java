package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against an HTTP server that answers as an API server does. */
class FabricApiServerTest {
    private static final String POD = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a-exec-1\",\"uid\":\"u1\","
            + "\"resourceVersion\":\"7\",\"labels\":{\"spark-exec-id\":\"1\"},"
            + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"deletionTimestamp\":\"2026-01-01T00:01:00Z\","
            + "\"deletionGracePeriodSeconds\":30},\"spec\":{\"nodeName\":\"node-1\",\"containers\":[]},\"status\":"
            + "{\"phase\":\"Running\",\"podIP\":\"10.1.0.5\",\"conditions\":[{\"type\":\"DisruptionTarget\","
            + "\"status\":\"True\",\"reason\":\"EvictionByEvictionAPI\"}],\"containerStatuses\":[{\"name\":"
            + "\"spark-kubernetes-executor\",\"state\":{\"running\":{}},\"unknown\":null}],\"new\":{}}}";
    private static final ApiObject OBJECT = new ApiObject(Resource.POD, "a-exec-1", Map.of(), Optional.empty(), "{}");

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private HttpServer http;
    private ApiServer server;

    @BeforeEach
    void start() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.start();
        Path token = Files.writeString(directory.resolve("token"), "t0ken\n");
        ClusterSettings settings = ClusterSettings.from(Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.kubernetes.namespace",
                                "team",
                                "hearth.kubernetes.authenticate.oauthTokenFile",
                                token.toString())));
        server = ApiServerAccess.open(
                MasterUrl.parse("k8s://http://127.0.0.1:" + http.getAddress().getPort()), settings);
    }

    @AfterEach
    void stop() {
        server.close();
        http.stop(0);
        threads.shutdownNow();
    }

    private void answers(int status, String body) {
        http.createContext("/", exchange -> {
            note(exchange);
            exchange.getResponseHeaders().add("Retry-After", "2");
            exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.getBytes(UTF_8).length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body.getBytes(UTF_8));
            }
        });
    }

    private void note(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    }

    private static Answer answer(Consumer<Consumer<Answer>> request) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        request.accept(answer::complete);
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void createsAPodByOneRequestWithTheToken() throws Exception {
        answers(201, POD);
        Answer.Done done = (Answer.Done) answer(to -> server.create(OBJECT, to));

        assertEquals(List.of("POST /api/v1/namespaces/team/pods Bearer t0ken {}"), List.copyOf(requests));
        ObjectFacts facts = done.object().orElseThrow();
        assertEquals("u1", facts.uid());
        assertEquals("1", facts.label("spark-exec-id"));
        PodFacts pod = facts.requirePod();
        assertTrue(pod.deleting());
        assertEquals(30, pod.graceSeconds());
        assertEquals("node-1", pod.node());
        assertEquals("EvictionByEvictionAPI", pod.disruption());
        assertTrue(pod.container("spark-kubernetes-executor").orElseThrow().running());
    }

    @Test
    void readsTheTokenAgain() throws Exception {
        answers(200, POD);
        answer(to -> server.read(Resource.POD, "a-exec-1", to));
        Files.writeString(directory.resolve("token"), "later");
        answer(to -> server.read(Resource.POD, "a-exec-1", to));

        assertTrue(requests.take().contains("Bearer t0ken"));
        assertTrue(requests.take().contains("Bearer later"));
    }

    @Test
    void returnsAnObjectThatExists() throws Exception {
        http.createContext("/", exchange -> {
            note(exchange);
            boolean posted = exchange.getRequestMethod().equals("POST");
            byte[] body = (posted ? "{\"reason\":\"AlreadyExists\",\"message\":\"exists\"}" : POD).getBytes(UTF_8);
            exchange.sendResponseHeaders(posted ? 409 : 200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        Answer.Exists exists = (Answer.Exists) answer(to -> server.create(OBJECT, to));
        assertEquals("u1", exists.object().uid());
    }

    @Test
    void repeatsNothingByItself() throws Exception {
        answers(503, "{\"reason\":\"ServiceUnavailable\",\"message\":\"etcd is away\"}");
        Answer.Refused refused = (Answer.Refused) answer(to -> server.create(OBJECT, to));

        assertEquals(new Answer.Refused(RefusalKind.SERVER, "etcd is away", Duration.ofSeconds(2)), refused);
        assertEquals(1, requests.size());
    }

    @Test
    void doesNotKnowWhatHappenedWithoutAnAnswer() throws Exception {
        http.createContext("/", exchange -> {
            note(exchange);
            exchange.close(); // after the effect, as a server that is killed
        });
        assertInstanceOf(Answer.Unknown.class, answer(to -> server.create(OBJECT, to)));
        assertEquals(1, requests.size());
    }

    @Test
    void deletesBySelectorAndByUid() throws Exception {
        answers(200, "{}");
        answer(to -> server.deleteAll(Resource.POD, "a=b,c in (1,2)", OptionalInt.of(5), to));
        answer(to -> server.delete(Resource.SECRET, "s", Optional.of("u1"), OptionalInt.empty(), to));

        String all = requests.take();
        assertTrue(all.startsWith("DELETE /api/v1/namespaces/team/pods?labelSelector=a%3Db%2Cc+in+%281%2C2%29 "), all);
        assertTrue(all.contains("\"gracePeriodSeconds\":5"), all);
        String one = requests.take();
        assertTrue(one.startsWith("DELETE /api/v1/namespaces/team/secrets/s "), one);
        assertTrue(one.contains("\"preconditions\":{\"uid\":\"u1\"}"), one);
    }

    @Test
    void listsPages() throws Exception {
        answers(200, "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"next\"},\"items\":[" + POD + "]}");
        Answer.Page page = (Answer.Page) answer(to -> server.list(Resource.POD, "a=b", "", to));

        assertEquals("9", page.version());
        assertEquals("next", page.next());
        assertEquals("a-exec-1", page.objects().get(0).name());
        assertTrue(page.objects().get(0).pod().isPresent());
        assertTrue(page.serverSeconds() > 0);
        answer(to -> server.list(Resource.POD, "a=b", "next", to));
        assertEquals(2, requests.size());
        assertTrue(List.copyOf(requests).get(1).contains("&continue=next "), requests::toString);
    }

    @Test
    void watchesAcrossBoundariesOfChunks() throws Exception {
        String modified = POD.replace("\"node-1\"", "\"kn\u00f6t\"");
        byte[] events = ("{\"type\":\"ADDED\",\"object\":" + POD + "}\n{\"type\":\"MODIFIED\",\"object\":" + modified
                        + "}\n{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"12\"}}}\n"
                        + "{\"type\":\"DELETED\",\"object\":" + POD + "}\n"
                        + "{\"type\":\"ERROR\",\"object\":{\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}}\n")
                .getBytes(UTF_8);
        http.createContext("/", exchange -> {
            note(exchange);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            for (byte one : events) { // each byte in a chunk of its own, also within a character
                out.write(one);
                out.flush();
            }
            out.close();
        });
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        server.watch(Resource.POD, "a=b", "7", new Listener(heard));

        assertEquals("changed node-1", heard.poll(30, TimeUnit.SECONDS));
        assertEquals("changed kn\u00f6t", heard.poll(30, TimeUnit.SECONDS));
        assertEquals("bookmark 12", heard.poll(30, TimeUnit.SECONDS));
        assertEquals("deleted a-exec-1", heard.poll(30, TimeUnit.SECONDS));
        assertEquals("ended GONE", heard.poll(30, TimeUnit.SECONDS));
        assertTrue(requests.take().contains("watch=true&allowWatchBookmarks=true"));
    }

    @Test
    void tellsThatAWatchIsRefused() throws Exception {
        answers(403, "{\"message\":\"pods is forbidden\"}");
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        server.watch(Resource.POD, "a=b", "7", new Listener(heard));
        assertEquals("ended DENIED", heard.poll(30, TimeUnit.SECONDS));
    }

    private record Listener(BlockingQueue<String> heard) implements ApiServer.WatchListener {
        @Override
        public void changed(ObjectFacts object) {
            heard.add("changed " + object.requirePod().node());
        }

        @Override
        public void deleted(ObjectFacts object) {
            heard.add("deleted " + object.name());
        }

        @Override
        public void bookmark(String version) {
            heard.add("bookmark " + version);
        }

        @Override
        public void ended(Answer end) {
            heard.add("ended " + (end instanceof Answer.Refused refused ? refused.kind() : end));
        }
    }
}
