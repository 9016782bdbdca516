package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Application jars and files from an HTTP server, as driver and executors find them. */
@Timeout(180)
class HttpFilesIT {
    private static final String MAIN = "dev.hearth.itests.endtoend.app.ShowsCarried";
    private static final String TAG = "\"1\"";

    @TempDir
    Path scratch;

    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final AtomicInteger bodies = new AtomicInteger();
    private final AtomicInteger proxied = new AtomicInteger(); // requests to this server as a proxy
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Installation installation;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        installation = Installation.in(scratch);
        files.put("/app.jar", Files.readAllBytes(installation.applications()));
        files.put("/words.txt", "to be".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        never.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] content = files.get(exchange.getRequestURI().getPath());
            if ("files.example".equals(exchange.getRequestURI().getHost())) {
                proxied.incrementAndGet();
            }
            if (exchange.getRequestURI().getPath().equals("/hanging.jar")) {
                exchange.sendResponseHeaders(200, 10);
                exchange.getResponseBody().write(1);
                exchange.getResponseBody().flush();
                hanging.countDown();
                never.await();
            } else if (content == null) {
                exchange.sendResponseHeaders(404, -1);
            } else if (TAG.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
            } else {
                exchange.getResponseHeaders().set("ETag", TAG);
                bodies.incrementAndGet();
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", scratch.resolve("cache").toString());
    }

    private Launched submit(List<String> where, String jar) throws IOException {
        List<String> line = new ArrayList<>(where);
        line.addAll(
                List.of("--files", url("/words.txt"), "--executor-memory", "256m", "--class", MAIN, jar, "words.txt"));
        return installation.submit(environment(), line);
    }

    private static void assertFound(Launched submit) throws Exception {
        assertEquals(0, submit.status(), submit::errors);
        assertTrue(submit.output().contains("driver words.txt: to be\n"), submit::output);
        assertTrue(submit.output().contains("task words.txt: to be\n"), submit::output);
    }

    @Test
    void runOnLocalMastersAndAreFetchedOnce() throws Exception {
        for (String master : List.of("local[2]", "local-cluster[1,1,256]")) {
            try (Launched submit = submit(List.of("--master", master), url("/app.jar"))) {
                assertFound(submit);
            }
        }
        assertEquals(2, bodies.get(), "one for each file");
        String hash = ContentId.of(installation.applications()).sha256();
        try (Launched submit = submit(List.of("--master", "local[2]"), url("/app.jar?sha256=" + hash))) {
            assertFound(submit);
        }
    }

    @Test
    void runOnAStandaloneClusterInBothModes() throws Exception {
        try (Cluster cluster = Cluster.start(installation, environment())) {
            for (String mode : List.of("client", "cluster")) {
                List<String> where = List.of("--master", cluster.url(), "--deploy-mode", mode);
                try (Launched submit = submit(where, url("/app.jar"))) {
                    assertFound(submit);
                }
            }
            List<String> where = List.of("--master", cluster.url(), "--deploy-mode", "cluster");
            try (Launched submit = submit(where, url("/gone.jar"))) {
                assertEquals(3, submit.status(), submit::errors);
                assertTrue(submit.errors().contains("gone.jar': no such file"), submit::errors);
            }
        }
    }

    /** The server takes the requests for a host that exists for the proxy alone. */
    @Test
    void comeThroughTheProxyThatTheJavaOptionsName() throws Exception {
        String options = "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort="
                + server.getAddress().getPort();
        try (Cluster cluster = Cluster.start(installation, environment())) {
            for (List<String> where : List.of(
                    List.of("--master", "local[2]"),
                    List.of("--master", cluster.url(), "--deploy-mode", "client"),
                    List.of("--master", cluster.url(), "--deploy-mode", "cluster"))) {
                proxied.set(0);
                List<String> all = new ArrayList<>(where);
                all.addAll(List.of("--driver-java-options", options));
                try (Launched submit = submit(all, "http://files.example/app.jar")) {
                    assertFound(submit);
                }
                assertEquals(1, proxied.get(), () -> "requests with a whole address, " + where);
            }
        }
        try (Launched submit = submit(List.of("--master", "local[2]"), "http://files.invalid/app.jar")) {
            assertEquals(3, submit.status(), submit::errors);
            assertTrue(submit.errors().contains("no such server as files.invalid"), submit::errors);
        }
    }

    @Test
    void areRefusedInOneLineThatTellsNoPassword() throws Exception {
        String secret = url("/app.jar").replace("http://", "http://joe:s3cret@") + "?sha256=" + "0".repeat(64);
        try (Launched submit = submit(List.of("--master", "local[2]", "--verbose"), secret)) {
            assertEquals(3, submit.status(), submit::errors);
            assertTrue(submit.errors().contains("its bytes have the SHA-256"), submit::errors);
            assertFalse((submit.errors() + submit.output()).contains("s3cret"), submit::errors);
        }
        try (Launched submit = submit(List.of("--master", "local[2]"), url("/gone.jar"))) {
            assertEquals(3, submit.status(), submit::errors);
            assertEquals(1, submit.errors().lines().count(), submit::errors);
            assertTrue(submit.errors().contains("gone.jar': no such file"), submit::errors);
        }
    }

    @Test
    void endWithTheirSubmitterWhileTheyAreFetched() throws Exception {
        try (Launched submit = submit(List.of("--master", "local[2]"), url("/hanging.jar"))) {
            hanging.await();
            submit.end();
            assertEquals(143, submit.status(), submit::errors);
        }
    }
}
