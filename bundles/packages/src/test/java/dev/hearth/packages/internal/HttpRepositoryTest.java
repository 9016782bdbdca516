package dev.hearth.packages.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.packages.internal.DiskRepository.Needs;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;

/** Repositories that are reached by HTTP: their answers, broken connections, passwords and redirects. */
@Timeout(60)
class HttpRepositoryTest {
    @TempDir
    private Path base;

    private DiskRepository files;
    private HttpRepository server;
    private final RecordingListener said = new RecordingListener();

    @BeforeEach
    void start() throws IOException {
        files = new DiskRepository(base.resolve("remote")).add("a:one:1", Needs.on("a:two:1"));
        files.add("a:two:1");
        server = new HttpRepository(files);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        try (Stream<Path> all = Files.walk(base)) {
            assertEquals(
                    List.of(),
                    all.filter(file -> file.toString().endsWith(".tmp")).toList());
        }
    }

    @Test
    void downloadsOnceAndReportsIt() throws Exception {
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
        assertTrue(said.downloads.get(said.downloads.size() - 1).endsWith("4 of 4"), said.downloads::toString);
        int requests = server.requests.size();
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
        assertEquals(requests, server.requests.size());
        Files.delete(base.resolve("home/.m2/repository/a/two/1/two-1.jar"));
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
        assertEquals(
                List.of("GET /repo/a/two/1/two-1.jar", "GET /repo/a/two/1/two-1.jar.sha1"),
                server.requests.subList(requests, server.requests.size()));
    }

    @Test
    void saysWhatARepositoryAnswered() {
        server.answer("two-1.jar", HttpRepository.status(403));
        assertFails(
                "add a server with the id of the repository and its password to ~/.m2/settings.xml, or ask for access\n"
                        + "  a:two:1\n    central " + server.url() + ": answered 403 Forbidden for " + server.url()
                        + "/a/two/1/two-1.jar");
        server.answer("two-1.jar", HttpRepository.status(500));
        assertFails(
                "check the address, the network, and proxies and mirrors in ~/.m2/settings.xml\n  a:two:1\n    central "
                        + server.url() + ": answered 500 ");
        server.answer("two-1.jar", HttpRepository.status(404));
        assertFails(
                "further repositories with --repositories\n  a:two:1\n    central " + server.url() + ": no such file");
    }

    @Test
    void saysThatARepositoryIsUnreachable() throws Exception {
        int unused;
        try (ServerSocket socket = new ServerSocket(0)) {
            unused = socket.getLocalPort();
        }
        String gone = "http://127.0.0.1:" + unused + "/repo";
        HearthException failure = assertThrows(HearthException.class, () -> resolve("a:one:1", gone));
        assertTrue(
                String.valueOf(failure.getMessage())
                        .contains("    central " + gone + ": unreachable: Connection refused"),
                failure::getMessage);
    }

    @Test
    void readsAFileAgainWhenTheConnectionBreaks() throws Exception {
        server.answer("two-1.jar", server.cut(2));
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
    }

    @Test
    void leavesNothingWhenTheConnectionBreaksEachTime() throws Exception {
        server.answer("two-1.jar", server.cut(Integer.MAX_VALUE));
        assertFails("    central " + server.url() + ": the transfer failed: the connection ended after ");
        assertFalse(Files.exists(base.resolve("home/.m2/repository/a/two/1/two-1.jar")));
        server.answer("two-1.jar", server.cut(0));
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
    }

    @Test
    void refusesAFileThatDiffersFromItsChecksum() throws Exception {
        Files.writeString(files.file("a:two:1", ".jar.sha1"), "0".repeat(40));
        assertFails("sent a file that differs from its checksum");
        assertFalse(Files.exists(base.resolve("home/.m2/repository/a/two/1/two-1.jar")));
    }

    @Test
    void sendsThePasswordOfSettingsToTheirRepositoryAlone() throws Exception {
        try (HttpRepository other = new HttpRepository(files)) {
            Files.createDirectories(base.resolve("home/.m2"));
            Files.writeString(
                    base.resolve("home/.m2/settings.xml"),
                    "<settings><servers><server><id>central</id><username>me</username><password>secret word</password>"
                            + "</server></servers></settings>");
            server.answer("one-1.jar", HttpRepository.redirect(other.url() + "/a/one/1/one-1.jar"));
            assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
            assertTrue(server.requests.contains("GET /repo/a/one/1/one-1.jar " + basic("me:secret word")));
            assertEquals(List.of("GET /repo/a/one/1/one-1.jar"), other.requests);
        }
    }

    @Test
    void readsAnEncryptedPassword() throws Exception {
        DefaultPlexusCipher cipher = new DefaultPlexusCipher();
        Files.createDirectories(base.resolve("home/.m2"));
        Files.writeString(
                base.resolve("home/.m2/settings-security.xml"),
                "<settingsSecurity><master>" + cipher.encryptAndDecorate("master word", "settings.security")
                        + "</master></settingsSecurity>");
        Files.writeString(
                base.resolve("home/.m2/settings.xml"),
                "<settings><servers><server><id>central</id><username>me</username><password>"
                        + cipher.encryptAndDecorate("secret word", "master word")
                        + "</password></server></servers></settings>");
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve());
        assertTrue(server.requests.contains("GET /repo/a/one/1/one-1.jar " + basic("me:secret word")));
    }

    @Test
    void takesAPasswordOfAnAddressAndNeverShowsIt() throws Exception {
        String url = server.url().replace("://", "://me:s%20x@");
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve("a:one:1", url));
        assertTrue(server.requests.contains("GET /repo/a/one/1/one-1.jar " + basic("me:s x")));
        HearthException failure = assertThrows(HearthException.class, () -> resolve("a:gone:1", url));
        assertFalse(String.valueOf(failure.getMessage()).contains("s%20x"), failure::getMessage);
        try (Stream<Path> closures = Files.walk(base.resolve("home/.cache"))) {
            for (Path closure : closures.filter(Files::isRegularFile).toList()) {
                assertFalse(Files.readString(closure).contains("s%20x"), closure::toString);
            }
        }
    }

    @Test
    void namesItselfInRequests() throws Exception {
        List<String> agents = new CopyOnWriteArrayList<>();
        server.answer(".pom.sha1", exchange -> {
            agents.add(exchange.getRequestHeaders().getFirst("User-Agent") + " "
                    + exchange.getRequestHeaders().getFirst("Private-Token"));
            exchange.sendResponseHeaders(404, -1);
        });
        resolve();
        Files.createDirectories(base.resolve("home/.m2"));
        Files.writeString(
                base.resolve("home/.m2/settings.xml"),
                "<settings><servers><server><id>central</id><configuration><httpHeaders><property><name>Private-Token"
                        + "</name><value>t</value></property><property><name>User-Agent</name><value>mine</value>"
                        + "</property></httpHeaders></configuration></server></servers></settings>");
        files.add("a:three:1");
        resolve("a:three:1", server.url());
        assertEquals(List.of("hearth-packages null", "hearth-packages null", "mine t"), agents);
    }

    @Test
    void asksTheMirrorThatSettingsName() throws Exception {
        Files.createDirectories(base.resolve("home/.m2"));
        Files.writeString(
                base.resolve("home/.m2/settings.xml"),
                "<settings><mirrors><mirror><id>inner</id><mirrorOf>*</mirrorOf><url>" + server.url()
                        + "</url></mirror></mirrors></settings>");
        assertEquals(List.of("one-1.jar", "two-1.jar"), resolve("a:one:1", "http://192.0.2.1/outer"));
        server.answer(".pom", HttpRepository.status(403));
        HearthException failure =
                assertThrows(HearthException.class, () -> resolve("a:gone:1", "http://192.0.2.1/outer"));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("    inner " + server.url() + ": answered 403 Forbidden"),
                failure::getMessage);
    }

    @Test
    void asksThroughTheProxyThatSettingsName() throws Exception {
        Files.createDirectories(base.resolve("home/.m2"));
        String[] proxy = server.authority().split(":", 2);
        Files.writeString(
                base.resolve("home/.m2/settings.xml"),
                "<settings><proxies><proxy><active>true</active><protocol>http</protocol><host>" + proxy[0]
                        + "</host><port>" + proxy[1] + "</port><username>p</username><password>q</password></proxy>"
                        + "</proxies></settings>");
        server.answer("one-1.pom", exchange -> {
            String given = exchange.getRequestHeaders().getFirst("Proxy-Authorization");
            exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"proxy\"");
            exchange.sendResponseHeaders(basic("p:q").equals(given) ? 404 : 407, -1);
        });
        assertEquals(List.of("one-1.jar"), resolve("a:one:1", "http://repo.invalid/repo"));
    }

    @Test
    void followsNoRedirectToAFile() {
        server.answer("two-1.jar", HttpRepository.redirect("file:/etc/passwd"));
        assertFails("redirect to file, refused");
        server.answer("two-1.jar", HttpRepository.redirect("two-1.jar"));
        assertFails("too many redirects");
    }

    @Test
    void endsADownloadWhenItIsInterrupted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        server.answer("one-1.jar", exchange -> {
            byte[] content = new byte[1 << 20];
            exchange.sendResponseHeaders(200, content.length * 2L);
            exchange.getResponseBody().write(content);
            asked.countDown();
            try {
                if (goOn.await(30, TimeUnit.SECONDS)) {
                    exchange.getResponseBody().write(content);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<List<String>> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                ended.complete(resolve());
            } catch (Throwable failure) {
                ended.completeExceptionally(failure);
            }
        });
        thread.start();
        assertTrue(asked.await(1, TimeUnit.MINUTES));
        thread.interrupt();
        goOn.countDown();
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended.get(30, TimeUnit.SECONDS));
        assertTrue(failed.getCause() instanceof InterruptedException, failed::toString);
    }

    @Test
    void givesEqualResultsToManyAtOnce() throws Exception {
        List<CompletableFuture<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return resolve();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (CompletableFuture<List<String>> one : all) {
            assertEquals(List.of("one-1.jar", "two-1.jar"), one.get(30, TimeUnit.SECONDS));
        }
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private void assertFails(String words) {
        HearthException failure = assertThrows(HearthException.class, this::resolve);
        assertTrue(String.valueOf(failure.getMessage()).contains(words), failure::getMessage);
    }

    private List<String> resolve() throws InterruptedException {
        return resolve("a:one:1", server.url());
    }

    private List<String> resolve(String packages, String repository) throws InterruptedException {
        Settings settings = Settings.empty()
                .with("test", "hearth.jars.packages", packages)
                .with("test", "hearth.jars.defaultRepository", repository);
        UserFiles home = new UserFiles(base.resolve("home"), base, Map.of());
        return DiskRepository.names(
                new MavenPackageResolver(home, Clock.systemUTC()).resolve(PackageRequest.from(settings), said));
    }
}
