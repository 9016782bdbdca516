package dev.hearth.httpfs.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are fetched through the proxy of the JVM. The hosts of their addresses exist for the proxy alone. */
@Timeout(60)
class HttpProxyTest {
    private static final byte[] CONTENT = new byte[200_000];

    static {
        new Random(3).nextBytes(CONTENT);
    }

    @TempDir
    Path directory;

    private FileServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FileServer();
        server.put("/app.jar", CONTENT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpFileStore store() {
        CacheDirectory cache = new CacheDirectory(directory.resolve("cache"), directory.resolve("other"), 1 << 20);
        HttpDownload.Bounds bounds = new HttpDownload.Bounds(Duration.ofSeconds(5), Duration.ofSeconds(20));
        HttpCache copies = new HttpCache(cache, bounds, Ticker.system(), millis -> {});
        return new HttpFileStore(copies, new HttpFsSettings(16 << 20, Duration.ofMinutes(5)));
    }

    private byte[] read(String url) throws IOException {
        HttpFileStore store = store();
        assertTrue(store.look(FileName.parse(url)).isPresent());
        try (StoreInput in = store.read(FileName.parse(url), 0)) {
            return in.readAllBytes();
        }
    }

    private String fails(String url) {
        StoreException failure = assertThrows(StoreException.class, () -> store().look(FileName.parse(url)));
        return failure.getMessage() + "; " + failure.advice();
    }

    @Test
    void comesThroughTheProxyWithItsResumptionAndCache() throws Exception {
        server.answer("/app.jar", server.cut(2, 50_000));
        try (ForwardProxy proxy = new ForwardProxy(server.port(), false)) {
            String url = "http://files.example/app.jar";
            assertArrayEquals(CONTENT, read(url));
            assertEquals(CONTENT.length, server.bodyBytes.get(), "no byte twice");
            assertEquals(List.of("GET " + url, "GET " + url, "GET " + url), proxy.requests);
            assertArrayEquals(CONTENT, read(url));
            assertEquals(CONTENT.length, server.bodyBytes.get(), "unchanged");
            assertEquals(4, proxy.requests.size());
        }
    }

    @Test
    void followsRedirectsThroughTheProxyAndSendsThePasswordToItsHostAlone() throws Exception {
        server.answer("/old.jar", FileServer.redirect("http://mirror.example/app.jar"));
        try (ForwardProxy proxy = new ForwardProxy(server.port(), false)) {
            assertArrayEquals(CONTENT, read("http://joe:secret@files.example/old.jar"));
            assertEquals(
                    List.of("GET http://files.example/old.jar", "GET http://mirror.example/app.jar"), proxy.requests);
            assertEquals(List.of("GET /old.jar Basic am9lOnNlY3JldA==", "GET /app.jar"), server.requests);
        }
    }

    @Test
    void doesNotAskTheProxyForHostsThatItDoesNotServe() throws Exception {
        try (ForwardProxy proxy = new ForwardProxy(server.port(), false)) {
            assertArrayEquals(CONTENT, read(server.url("/app.jar")));
            assertEquals(List.of(), proxy.requests);
        }
    }

    @Test
    void namesTheProxyThatRefusesOrIsNotThere() throws Exception {
        String url = "http://files.example/app.jar";
        try (ForwardProxy proxy = new ForwardProxy(server.port(), true)) {
            assertEquals(
                    "407 Proxy Authentication Required; use a proxy that admits this machine, or exclude the host by"
                            + " -Dhttp.nonProxyHosts",
                    fails(url));
            int free;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                free = socket.getLocalPort();
            }
            ForwardProxy.use("127.0.0.1", free);
            assertEquals(
                    "Connection refused by the proxy 127.0.0.1:" + free
                            + " of http.proxyHost; check the address and the server, and try again",
                    fails(url));
            ForwardProxy.use("no-such-proxy.invalid", 3128);
            assertEquals(
                    "no such server as files.example, or as the proxy no-such-proxy.invalid:3128; check both names, and"
                            + " http.proxyHost",
                    fails(url));
            assertEquals(1, proxy.requests.size());
        }
    }
}
