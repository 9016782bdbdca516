package dev.hearth.httpfs.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Pauses;
import dev.hearth.spi.time.Ticker;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.machine.SmallDisk;
import dev.hearth.testkit.machine.SystemCommands;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a real HTTP server on this machine. */
@Timeout(60)
class HttpFileStoreTest {
    private static final HttpFsSettings SETTINGS = new HttpFsSettings(16 << 20, Duration.ofMinutes(5));
    private static final byte[] CONTENT = content(1);

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

    private static byte[] content(long seed) {
        byte[] bytes = new byte[300_000];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private HttpFileStore store() {
        return store(SETTINGS, Duration.ofSeconds(20));
    }

    private HttpFileStore store(Ticker ticker) {
        return store(directory.resolve("cache"), ticker);
    }

    private HttpFileStore store(Path root, Ticker ticker) {
        CacheDirectory cache = new CacheDirectory(root, directory.resolve("other"), 1 << 20);
        return new HttpFileStore(new HttpCache(cache, HttpDownload.Bounds.DEFAULTS, ticker, Pauses.real()), SETTINGS);
    }

    private HttpFileStore store(HttpFsSettings settings, Duration silence) {
        CacheDirectory cache = new CacheDirectory(directory.resolve("cache"), directory.resolve("other"), 1 << 20);
        HttpDownload.Bounds bounds = new HttpDownload.Bounds(Duration.ofSeconds(5), silence);
        return new HttpFileStore(new HttpCache(cache, bounds, Ticker.system(), Pauses.real()), settings);
    }

    private static byte[] read(HttpFileStore store, String url) throws IOException {
        FileName file = FileName.parse(url);
        FileEntry entry = store.look(file).orElseThrow(() -> new NoSuchFileException(url));
        try (StoreInput in = store.read(file, 0)) {
            byte[] all = in.readAllBytes();
            assertEquals(entry.length(), all.length);
            return all;
        }
    }

    private StoreException fails(HttpFileStore store, String url) {
        StoreException failure = assertThrows(StoreException.class, () -> store.look(FileName.parse(url)));
        assertFalse(failure.getMessage().contains("\n"), failure.getMessage());
        assertFalse(failure.advice().isBlank());
        return failure;
    }

    private List<String> cached() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cache"))) {
            return files.map(file -> file.getFileName().toString().replaceFirst(".*\\.", ""))
                    .filter(name -> !name.startsWith("lock"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void readsAFileWholeAndFromAnOffset() throws Exception {
        HttpFileStore store = store();
        assertArrayEquals(CONTENT, read(store, server.url("/app.jar")));
        try (StoreInput in = store.read(FileName.parse(server.url("/app.jar")), 299_990)) {
            assertEquals(299_990, in.position());
            assertEquals(10, in.readAllBytes().length);
        }
        assertEquals(List.of("GET /app.jar"), server.requests);
        assertEquals(Optional.empty(), store.look(FileName.parse(server.url("/none.jar"))));
    }

    @Test
    void movesNoByteOfAFileThatIsUnchanged() throws Exception {
        read(store(), server.url("/app.jar"));
        server.bodyBytes.set(0);
        assertArrayEquals(CONTENT, read(store(), server.url("/app.jar")));
        assertEquals(0, server.bodyBytes.get());
        assertEquals("GET /app.jar " + FileServer.tag(CONTENT), server.requests.get(1));

        server.put("/app.jar", content(2));
        assertArrayEquals(content(2), read(store(), server.url("/app.jar")));
    }

    @Test
    void asksNothingForAFileWithTheHashOfItsAddress() throws Exception {
        String url = server.url("/app.jar?sha256=" + hash(CONTENT));
        read(store(), url);
        read(store(), url);
        assertEquals(List.of("GET /app.jar"), server.requests);
    }

    private String hash(byte[] content) throws IOException {
        Path file = Files.write(directory.resolve("hashed"), content);
        return ContentId.of(file).sha256();
    }

    @Test
    void resumesATransferThatIsCutTenTimes() throws Exception {
        server.answer("/app.jar", server.cut(10, 20_000));
        assertArrayEquals(CONTENT, read(store(), server.url("/app.jar")));
        assertEquals(11, server.requests.size());
        assertEquals(CONTENT.length, server.bodyBytes.get(), "no byte twice");
    }

    @Test
    void resumesWhatAnotherProcessHasLeft() throws Exception {
        server.answer("/app.jar", exchange -> {
            boolean first = exchange.getRequestHeaders().getFirst("Range") == null;
            server.send(exchange, first ? 100_000 : 0);
        });
        StoreException failure = fails(store(), server.url("/app.jar"));
        assertTrue(failure.getMessage().contains("after 100000 of 300000 bytes"), failure.getMessage());
        server.bodyBytes.set(0);
        server.answer("/app.jar", server.cut(0, 0));
        assertArrayEquals(CONTENT, read(store(), server.url("/app.jar")));
        assertEquals(200_000, server.bodyBytes.get());
    }

    @Test
    void neverMixesTwoVersions() throws Exception {
        server.answer("/app.jar", exchange -> {
            boolean first = exchange.getRequestHeaders().getFirst("Range") == null;
            if (first) {
                server.send(exchange, 100_000);
            } else {
                server.put("/app.jar", content(2));
                server.send(exchange, Long.MAX_VALUE);
            }
        });
        assertArrayEquals(content(2), read(store(), server.url("/app.jar")));
    }

    @Test
    void startsAgainWhereAServerGivesNoTag() throws Exception {
        int[] left = {2};
        server.answer("/app.jar", exchange -> {
            exchange.sendResponseHeaders(200, CONTENT.length);
            exchange.getResponseBody().write(CONTENT, 0, left[0] > 0 ? 1000 : CONTENT.length);
            if (left[0]-- > 0) {
                exchange.getResponseBody().flush();
                throw new IOException("cut by the test");
            }
        });
        assertArrayEquals(CONTENT, read(store(), server.url("/app.jar")));
        assertEquals(List.of("GET /app.jar", "GET /app.jar", "GET /app.jar"), server.requests);
    }

    @Test
    void refusesAWrongHashAndKeepsNothing() throws Exception {
        String wrong = "0".repeat(64);
        StoreException failure = fails(store(), server.url("/app.jar?sha256=" + wrong));
        assertEquals(
                "its bytes have the SHA-256 " + hash(CONTENT) + ", and not that of the address", failure.getMessage());
        assertEquals(List.of(), cached());
        assertTrue(
                fails(store(), server.url("/app.jar?sha256=abc")).getMessage().startsWith("sha256 'abc' is no hash"));
    }

    @Test
    void saysWhatAServerAnswered() {
        server.answer("/private.jar", FileServer.status(401));
        server.answer("/forbidden.jar", FileServer.status(403));
        server.answer("/teapot.jar", FileServer.status(418));
        server.answer("/busy.jar", FileServer.status(503));
        assertEquals(
                "401 Unauthorized", fails(store(), server.url("/private.jar")).getMessage());
        assertEquals(
                "403 Forbidden", fails(store(), server.url("/forbidden.jar")).getMessage());
        assertTrue(fails(store(), server.url("/teapot.jar")).getMessage().startsWith("418"));
        assertEquals(
                "503 Service Unavailable",
                fails(store(), server.url("/busy.jar")).getMessage());
        assertEquals(
                HttpTransfer.IDLE_ATTEMPTS_MAX,
                server.requests.stream().filter(line -> line.contains("busy")).count());
    }

    @Test
    void sendsAPasswordToItsOwnServerAlone() throws Exception {
        try (FileServer other = new FileServer()) {
            other.put("/moved.jar", CONTENT);
            server.answer("/app.jar", FileServer.redirect(other.url("/moved.jar")));
            String url = server.url("/app.jar").replace("http://", "http://joe:s%40cret@");
            assertArrayEquals(CONTENT, read(store(), url));
            assertEquals(List.of("GET /app.jar Basic am9lOnNAY3JldA=="), server.requests);
            assertEquals(List.of("GET /moved.jar"), other.requests);
            assertEquals(
                    "http://127.0.0.1:" + server.port() + "/app.jar",
                    HttpAddress.parse(FileName.parse(url)).toString());
        }
    }

    @Test
    void endsALoopOfRedirects() {
        server.answer("/loop.jar", FileServer.redirect("/loop.jar"));
        assertEquals(
                "more than 5 redirects", fails(store(), server.url("/loop.jar")).getMessage());
        server.answer("/file.jar", FileServer.redirect("file:///etc/passwd"));
        assertEquals(
                "redirected to the scheme 'file', which is refused",
                fails(store(), server.url("/file.jar")).getMessage());
    }

    @Test
    void boundsAFileWithoutAnEnd() throws Exception {
        server.answer("/endless.jar", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                while (!Thread.currentThread().isInterrupted()) {
                    out.write(CONTENT);
                }
            }
        });
        HttpFsSettings small = new HttpFsSettings(1 << 20, Duration.ofMinutes(5));
        StoreException failure = fails(store(small, Duration.ofSeconds(20)), server.url("/endless.jar"));
        assertEquals("more than 1048576 bytes, more than hearth.jars.httpMax=1m", failure.getMessage());
        assertEquals(List.of(), cached());
        server.put("/large.jar", new byte[(1 << 20) + 1]);
        assertTrue(fails(store(small, Duration.ofSeconds(20)), server.url("/large.jar"))
                .getMessage()
                .startsWith("1048577 bytes, more than"));
    }

    @Test
    void givesUpASilentServer() {
        server.answer("/slow.jar", server.silentAfterAByte(new CountDownLatch(1)));
        StoreException failure = fails(store(SETTINGS, Duration.ofMillis(100)), server.url("/slow.jar"));
        assertEquals("its server was silent for too long", failure.getMessage());
    }

    @Test
    void stopsAtOnceWhenItsStoreIsClosed() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        server.answer("/slow.jar", server.silentAfterAByte(asked));
        HttpFileStore store = store();
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(
                () -> fails(store, server.url("/slow.jar")).getMessage());
        asked.await();
        store.close();
        assertEquals("the transfer was stopped", ended.get());
    }

    @Test
    void stopsWhileAnotherProcessFetchesTheSameFile() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        server.answer("/slow.jar", server.silentAfterAByte(asked));
        HttpFileStore first = store();
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(
                () -> fails(first, server.url("/slow.jar")).getMessage());
        asked.await();
        CacheDirectory cache = new CacheDirectory(directory.resolve("cache"), directory.resolve("other"), 1 << 20);
        HttpFileStore[] second = new HttpFileStore[1];
        HttpCache waiting =
                new HttpCache(cache, HttpDownload.Bounds.DEFAULTS, Ticker.system(), millis -> second[0].close());
        second[0] = new HttpFileStore(waiting, SETTINGS);
        assertEquals(
                "the transfer was stopped",
                fails(second[0], server.url("/slow.jar")).getMessage());
        first.close();
        assertEquals("the transfer was stopped", ended.get());
    }

    @Test
    void removesPartsThatWereLeftAndCopiesBeyondTheBound() throws Exception {
        FakeTicker ticker = new FakeTicker();
        read(store(ticker), server.url("/app.jar"));
        Path cache = directory.resolve("cache");
        Path left = part(cache.resolve("a.part"), ticker.wall().minus(Duration.ofDays(2)));
        Path running = part(cache.resolve("b.part"), ticker.wall().minus(Duration.ofHours(1)));
        for (int each = 0; each < 4; each++) { // 300 kB each, of at most 1 MiB
            ticker.advance(Duration.ofHours(2)); // so that no process uses the copies before
            server.put("/" + each, content(each));
            read(store(ticker), server.url("/" + each));
        }
        read(store(ticker), server.url("/app.jar"));
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(running));
        assertEquals(4, cached().stream().filter("data"::equals).count(), () -> "requests " + server.requests);
    }

    private static Path part(Path file, Instant changed) throws IOException {
        Files.write(file, new byte[10]);
        return Files.setLastModifiedTime(file, FileTime.from(changed));
    }

    @Test
    void saysThatTheDiskIsFullAndGoesOnOnceThereIsRoom() throws Exception {
        try (SmallDisk disk = SmallDisk.in(directory, 256 << 10)) { // less than the file
            HttpFileStore store = store(disk.directory().resolve("cache"), Ticker.system());
            StoreException failure = fails(store, server.url("/app.jar"));
            assertEquals(
                    "it cannot be stored in " + disk.directory().resolve("cache") + ", No space left on device",
                    failure.getMessage());
            assertEquals("make room there, or name another directory by XDG_CACHE_HOME", failure.advice());
            SystemCommands.run(
                    "mount", "-o", "remount,size=1m", disk.directory().toString());
            server.bodyBytes.set(0);
            assertArrayEquals(CONTENT, read(store, server.url("/app.jar")));
            assertTrue(server.bodyBytes.get() < CONTENT.length, "what had arrived came again");
        }
    }

    @Test
    void saysThatADiskHasNoRoomForTheFirstByte() throws Exception {
        try (SmallDisk disk = SmallDisk.in(directory, 256 << 10)) {
            Path cache = Files.createDirectory(disk.directory().resolve("cache"));
            disk.fill();
            HttpFileStore store = store(cache, Ticker.system());
            assertEquals(
                    "it cannot be stored in " + cache + ", No space left on device",
                    fails(store, server.url("/app.jar")).getMessage());
        }
    }

    /** The file and its validator take all 64 pages of the disk; the entry then needs two, and finds one. */
    @Test
    void leavesNothingOfACopyWhoseEntryFindsNoRoom() throws Exception {
        long page = 4096;
        server.answer("/exact.jar", exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"" + "e".repeat((int) page - 10) + "\"");
            exchange.sendResponseHeaders(200, 63 * page);
            exchange.getResponseBody().write(new byte[(int) (63 * page)]);
        });
        try (SmallDisk disk = SmallDisk.in(directory, 64 * page)) {
            Path cache = disk.directory().resolve("cache");
            assertEquals(
                    "it cannot be stored in " + cache + ", No space left on device",
                    fails(store(cache, Ticker.system()), server.url("/exact.jar"))
                            .getMessage());
            try (Stream<Path> files = Files.list(cache)) {
                assertEquals(
                        List.of(),
                        files.filter(file -> !file.getFileName().toString().startsWith("lock"))
                                .toList());
            }
        }
    }

    @Test
    void fetchesADamagedCopyAgain() throws Exception {
        read(store(), server.url("/app.jar"));
        try (Stream<Path> files = Files.list(directory.resolve("cache"))) {
            Path data = files.filter(file -> file.toString().endsWith(".data"))
                    .findFirst()
                    .orElseThrow();
            Files.write(data, new byte[10]);
        }
        assertArrayEquals(CONTENT, read(store(), server.url("/app.jar")));
    }

    @Test
    void neitherListsNorWrites() throws Exception {
        FileName file = FileName.parse(server.url("/app.jar"));
        assertThrows(StoreException.class, () -> store().list(file));
        assertThrows(StoreException.class, () -> store().create(file, true));
        assertThrows(StoreException.class, () -> store().remove(file, false));
    }
}
