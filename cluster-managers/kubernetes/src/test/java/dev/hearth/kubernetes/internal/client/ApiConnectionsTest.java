package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.read;
import static dev.hearth.kubernetes.internal.client.StubAccess.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates that change (H6), proxies and names of servers (H7), and what closing leaves (H8). */
class ApiConnectionsTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static SSLContext context(String name) throws IOException {
        String authorities = text("tls/first-authority.pem"); // for certificates of clients
        return Tls.of(new Tls.Texts(authorities, text("tls/" + name + ".pem"), text("tls/" + name + ".key")), false)
                .context();
    }

    private StubApiServer secure(String certificate) throws IOException {
        StubApiServer stub = StubApiServer.secure(context(certificate));
        open.add(stub);
        stub.answer(exchange -> exchange.reply(200, POD));
        return stub;
    }

    private StubAccess access() {
        return new StubAccess(home);
    }

    private Path authority(String name) throws IOException {
        return Files.writeString(home.resolve("ca.pem"), text("tls/" + name + "-authority.pem"));
    }

    private void config(String cluster) throws IOException {
        Files.createDirectories(home.resolve(".kube"));
        Files.writeString(home.resolve(".kube/config"), """
                current-context: here
                contexts: [{name: here, context: {cluster: stub, namespace: team}}]
                clusters: [{name: stub, cluster: {CLUSTER}}]
                """.replace("CLUSTER", cluster));
    }

    @Test
    void trustsAnAuthorityThatReplacesAnother() throws Exception {
        StubApiServer first = secure("first-server");
        StubApiServer second = secure("second-server");
        CountDownLatch later = new CountDownLatch(1);
        first.answer(exchange -> {
            later.await(30, TimeUnit.SECONDS);
            exchange.reply(200, POD);
        });
        StubApiServer proxy = StubApiServer.plain();
        open.add(proxy);
        proxy.tunnelTo(first.port());
        Path file = authority("first");
        config("server: \"https://localhost:1\", proxy-url: \"http://127.0.0.1:" + proxy.port()
                + "\", certificate-authority: \"" + file + "\"");
        StubAccess access = access();
        ApiServer server = access.open("k8s");
        open.add(server);
        CompletableFuture<Answer> inFlight = new CompletableFuture<>();
        server.read(Resource.POD, "a", inFlight::complete);
        Eventually.until("a request", () -> first.requests.size() == 1, BOUND);

        proxy.tunnelTo(second.port());
        assertInstanceOf(Answer.Unknown.class, read(server), "the second server's certificate is of another authority");
        authority("second");
        access.ticker.advance(Duration.ofSeconds(1));
        assertInstanceOf(Answer.Done.class, read(server));
        assertTrue(!inFlight.isDone());
        later.countDown();
        assertInstanceOf(Answer.Done.class, inFlight.get(30, TimeUnit.SECONDS));
    }

    @Test
    void keepsItsClientWhileTheFilesStayTheSame() throws Exception {
        StubApiServer stub = secure("first-server");
        StubAccess access = access();
        Path file = authority("first");
        ApiServer server =
                access.open("k8s://https://127.0.0.1:" + stub.port(), "authenticate.caCertFile", file.toString());
        open.add(server);
        read(server);
        List<Socket> sockets = new ArrayList<>();
        stub.answer(exchange -> {
            sockets.add(exchange.socket);
            exchange.reply(200, POD);
        });
        authority("first"); // the same text, written again
        access.ticker.advance(Duration.ofSeconds(2));
        read(server);
        read(server);
        assertEquals(1, sockets.stream().distinct().count(), "one connection is used again");
    }

    @Test
    void keepsTheLastAuthorityWhileItsFileIsMalformed() throws Exception {
        StubApiServer stub = secure("first-server");
        StubAccess access = access();
        Path file = authority("first");
        ApiServer server =
                access.open("k8s://https://127.0.0.1:" + stub.port(), "authenticate.caCertFile", file.toString());
        open.add(server);
        Files.writeString(file, "half");
        access.ticker.advance(Duration.ofSeconds(1));
        assertInstanceOf(Answer.Done.class, read(server));
    }

    @ParameterizedTest
    @CsvSource({
        "client, client",
        "client, client-sec1",
        "client-rsa, client-rsa",
        "client-rsa, client-rsa-pkcs1",
    })
    void presentsACertificateFromFilesOfAllForms(String certificate, String key) throws Exception {
        StubApiServer stub = secure("first-server");
        CompletableFuture<String> peer = new CompletableFuture<>();
        stub.answer(exchange -> {
            exchange.reply(200, POD);
            peer.complete(((SSLSocket) exchange.socket)
                    .getSession()
                    .getPeerPrincipal()
                    .getName());
        });
        Path chain = Files.writeString(home.resolve("c.pem"), text("tls/" + certificate + ".pem"));
        Path secret = Files.writeString(home.resolve("c.key"), text("tls/" + key + ".key"));
        ApiServer server = access().open(
                        "k8s://https://127.0.0.1:" + stub.port(),
                        "authenticate.caCertFile",
                        authority("first").toString(),
                        "authenticate.clientCertFile",
                        chain.toString(),
                        "authenticate.clientKeyFile",
                        secret.toString());
        open.add(server);
        assertInstanceOf(Answer.Done.class, read(server));
        assertEquals("CN=" + certificate, peer.get(30, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @CsvSource({"localhost", "127.0.0.1"})
    void asksForAndChecksTheServerNameOfTheKubeconfigFile(String host) throws Exception {
        StubApiServer stub = secure("named-server");
        CompletableFuture<String> asked = new CompletableFuture<>();
        stub.answer(exchange -> {
            exchange.reply(200, POD);
            SSLSession session = ((SSLSocket) exchange.socket).getSession();
            asked.complete(
                    ((ExtendedSSLSession) session).getRequestedServerNames().toString());
        });
        String cluster = "server: \"https://" + host + ":" + stub.port() + "\", certificate-authority: \""
                + authority("first") + "\"";
        config(cluster + ", tls-server-name: api.cluster.example");
        ApiServer server = access().open("k8s");
        open.add(server);
        assertInstanceOf(Answer.Done.class, read(server));
        String names = asked.get(30, TimeUnit.SECONDS);
        assertTrue(names.contains("api.cluster.example"), names);

        config(cluster + ", tls-server-name: other.cluster.example");
        ApiServer other = access().open("k8s");
        open.add(other);
        assertInstanceOf(Answer.Unknown.class, read(other));
        config(cluster);
        ApiServer unnamed = access().open("k8s");
        open.add(unnamed);
        assertInstanceOf(Answer.Unknown.class, read(unnamed));
    }

    @Test
    void trustsAnyServerIfTheUserDemandsIt() throws Exception {
        StubApiServer stub = secure("named-server");
        String url = "k8s://https://127.0.0.1:" + stub.port();
        ApiServer trusting = access().open(url, "trust.certificates", "true");
        open.add(trusting);
        assertInstanceOf(Answer.Done.class, read(trusting));
        config("server: \"https://127.0.0.1:" + stub.port() + "\", insecure-skip-tls-verify: true");
        ApiServer insecure = access().open("k8s");
        open.add(insecure);
        assertInstanceOf(Answer.Done.class, read(insecure));
        Files.delete(home.resolve(".kube/config"));
        ApiServer strict = access().open(url);
        open.add(strict);
        assertInstanceOf(Answer.Unknown.class, read(strict));
    }

    @Test
    void usesAProxyUnlessTheServerIsExcepted() throws Exception {
        StubApiServer proxy = StubApiServer.plain();
        open.add(proxy);
        proxy.answer(exchange -> exchange.reply(200, POD));
        StubAccess access = access();
        access.environment.put("HTTP_PROXY", "http://127.0.0.1:" + proxy.port());
        ApiServer server = access.open("k8s://http://api.cluster.example:6443", "namespace", "team");
        open.add(server);
        assertInstanceOf(Answer.Done.class, read(server));
        assertEquals(
                List.of("GET http://api.cluster.example:6443/api/v1/namespaces/team/pods/a-exec-1 -"), proxy.log());
        access.environment.put("NO_PROXY", ".cluster.example");
        ApiServer direct = access.open("k8s://http://api.cluster.example:6443", "namespace", "team");
        open.add(direct);
        assertInstanceOf(Answer.Unknown.class, read(direct), "there is no such host");
        assertEquals(1, proxy.requests.size());
    }

    @Test
    void leavesNoThreads() throws Exception {
        StubApiServer stub = secure("first-server");
        List<Thread> before = clientThreads();
        for (int i = 0; i < 3; i++) {
            StubAccess.Heard heard = new StubAccess.Heard();
            ApiServer server = access().open(
                            "k8s://https://127.0.0.1:" + stub.port(),
                            "authenticate.caCertFile",
                            authority("first").toString());
            assertInstanceOf(Answer.Done.class, read(server));
            server.watch(Resource.POD, "a", "7", heard);
            heard.next();
            server.close();
        }
        Eventually.until(
                "no thread of a client",
                () -> {
                    System.gc(); // the client of Java 17 ends its selector when it is collected
                    List<Thread> left = clientThreads();
                    left.removeAll(before);
                    return left.isEmpty();
                },
                BOUND,
                () -> clientThreads().toString());
    }

    @Test
    void keepsItsThreadsOutOfTheClassLoaderOfApplications() throws Exception {
        StubApiServer stub = secure("first-server");
        List<Thread> before = clientThreads();
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        ClassLoader application = new ClassLoader(own) {};
        Thread.currentThread().setContextClassLoader(application);
        try {
            ApiServer server = access().open(
                            "k8s://https://127.0.0.1:" + stub.port(),
                            "authenticate.caCertFile",
                            authority("first").toString());
            open.add(server);
            assertInstanceOf(Answer.Done.class, read(server));
            List<Thread> made = clientThreads();
            made.removeAll(before);
            assertTrue(
                    made.stream().noneMatch(thread -> thread.getContextClassLoader() == application), made::toString);
            assertEquals(application, Thread.currentThread().getContextClassLoader());
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    private static List<Thread> clientThreads() {
        return new ArrayList<>(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("HttpClient-")
                        || thread.getName().startsWith("hearth-kubernetes-"))
                .toList());
    }
}
