package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.kubeconfig.TextSource;
import dev.hearth.kubernetes.internal.kubeconfig.UserEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that are replaced, refused and printed by plug-ins (H5), against a server that knows the good ones. */
class ApiCredentialsTest {
    private static final String READ = "GET /api/v1/namespaces/team/pods/a-exec-1 ";

    @TempDir
    private Path home;

    private final Set<String> good = ConcurrentHashMap.newKeySet();
    private StubAccess access;
    private StubApiServer stub;

    @BeforeEach
    void open() throws IOException {
        access = new StubAccess(home);
        stub = StubApiServer.plain();
        stub.answer(exchange -> {
            boolean isGood = good.contains(exchange.request.headers().getOrDefault("authorization", "-"));
            exchange.reply(
                    isGood ? 200 : 401, isGood ? POD : "{\"reason\":\"Unauthorized\",\"message\":\"Unauthorized\"}");
        });
    }

    @AfterEach
    void close() throws IOException {
        stub.close();
    }

    private String url() {
        return "http://127.0.0.1:" + stub.port();
    }

    private ApiServer withTokenFile(Path file) {
        return access.open("k8s://" + url(), "namespace", "team", "authenticate.oauthTokenFile", file.toString());
    }

    /** A kubeconfig file whose user has a plug-in that counts its runs. */
    private ApiServer withPlugin(String script) throws IOException {
        Path directory = Files.createDirectories(home.resolve(".kube"));
        Path plugin = Files.writeString(directory.resolve("plugin.sh"), "echo run >> runs\n" + script);
        Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: stub, user: me, namespace: team}}]
                clusters: [{name: stub, cluster: {server: "URL"}}]
                users:
                - name: me
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/v1
                      interactiveMode: IfAvailable
                      command: bash
                      args: [-c, "cd DIRECTORY; . PLUGIN"]
                """.replace("URL", url())
                .replace("DIRECTORY", directory.toString())
                .replace("PLUGIN", plugin.toString()));
        return access.open("k8s");
    }

    private long runs() throws IOException {
        Path file = home.resolve(".kube/runs");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static String credential(String token, String rest) {
        return "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"'"
                + token + "'\"" + rest + "}}'\n";
    }

    @Test
    void sendsTheTokenOfAFileThatWasReplaced() throws Exception {
        good.addAll(Set.of("Bearer one", "Bearer two"));
        Path one = Files.writeString(Files.createDirectories(home.resolve("1")).resolve("token"), "one\n");
        Files.writeString(Files.createDirectories(home.resolve("2")).resolve("token"), "two");
        Path data = Files.createSymbolicLink(home.resolve("..data"), one.getParent()); // as the kubelet does
        Path token = Files.createSymbolicLink(home.resolve("token"), Path.of("..data", "token"));
        try (ApiServer server = withTokenFile(token)) {
            read(server);
            Path next = Files.createSymbolicLink(home.resolve("..data_tmp"), home.resolve("2"));
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
            read(server);
            access.ticker.advance(Duration.ofSeconds(1));
            read(server);
        }
        assertEquals(List.of(READ + "Bearer one", READ + "Bearer one", READ + "Bearer two"), stub.log());
    }

    @Test
    void readsTheFileAgainWhenTheTokenIsRefused() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "old");
        try (ApiServer server = withTokenFile(token)) {
            good.add("Bearer new");
            Files.writeString(token, "new");
            assertInstanceOf(Answer.Done.class, read(server));
            assertEquals(List.of(READ + "Bearer old", READ + "Bearer new"), stub.log());
        }
    }

    @Test
    void watchesAgainWhenTheTokenIsRefused() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "old");
        StubAccess.Heard heard = new StubAccess.Heard();
        try (ApiServer server = withTokenFile(token)) {
            good.add("Bearer new");
            Files.writeString(token, "new");
            server.watch(Resource.POD, "a", "7", heard);
            assertEquals("ended Done", heard.next()); // the answer of the stub has no events
            assertEquals(2, stub.requests.size());
        }
    }

    @Test
    void keepsPausesWhileNothingIsBetter() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "old");
        try (ApiServer server = withTokenFile(token)) {
            for (int i = 0; i < 3; i++) {
                Answer.Refused refused = (Answer.Refused) read(server);
                assertEquals(RefusalKind.UNAUTHENTICATED, refused.kind());
                assertEquals("Unauthorized", refused.words());
            }
            assertEquals(3, stub.requests.size(), "no request is sent twice with one token");
            Files.writeString(token, "new");
            good.add("Bearer new");
            assertInstanceOf(Answer.Refused.class, read(server), "the pause is not over");
            access.ticker.advance(Duration.ofSeconds(1));
            assertInstanceOf(Answer.Done.class, read(server));
        }
    }

    @Test
    void keepsTheTokenWhileItsFileIsAway() throws Exception {
        good.add("Bearer one");
        Path token = Files.writeString(home.resolve("token"), "one");
        try (ApiServer server = withTokenFile(token)) {
            read(server);
            Files.delete(token);
            access.ticker.advance(Duration.ofSeconds(5));
            assertInstanceOf(Answer.Done.class, read(server));
        }
    }

    @Test
    void namesATokenFileThatIsMissing() {
        HearthException missing = assertThrows(HearthException.class, () -> withTokenFile(home.resolve("none")));
        assertEquals("CLUSTER_UNREACHABLE", missing.code());
        assertTrue(
                missing.getMessage().contains("file " + home.resolve("none") + ": cannot be read"),
                missing::getMessage);
    }

    @Test
    void refusesAFileWithAnotherTextWithoutShowingIt() throws Exception {
        for (String text : List.of("s3cret s3cret", "s3cret\ns3cret", "s3cret\u20ac", "", "\n")) {
            Path token = Files.writeString(home.resolve("token"), text);
            HearthException refused = assertThrows(HearthException.class, () -> withTokenFile(token));
            assertTrue(refused.getMessage().contains("(expected: "), refused::getMessage);
            assertFalse(refused.getMessage().contains("s3cret"), refused::getMessage);
        }
    }

    @Test
    void runsAPluginOncePerExpiry() throws Exception {
        good.add("Bearer from-plugin");
        String expiry = ",\"expirationTimestamp\":\""
                + access.ticker.wall().plusSeconds(600).toString() + "\"";
        try (ApiServer server = withPlugin(credential("from-plugin", expiry))) {
            for (int i = 0; i < 20; i++) {
                assertInstanceOf(Answer.Done.class, read(server));
                access.ticker.advance(Duration.ofSeconds(29));
            }
            assertEquals(1, runs());
            access.ticker.advance(Duration.ofSeconds(20));
            assertInstanceOf(Answer.Done.class, read(server));
            assertEquals(2, runs());
        }
    }

    @Test
    void runsAPluginOnceForRequestsOfAllThreads() throws Exception {
        good.add("Bearer from-plugin");
        try (ApiServer server = withPlugin(credential("from-plugin", ""))) {
            List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                        try {
                            assertInstanceOf(Answer.Done.class, read(server));
                        } catch (Exception failure) {
                            throw new AssertionError(failure);
                        }
                    }))
                    .limit(8)
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertEquals(1, runs());
        assertEquals(8, stub.requests.size());
    }

    @Test
    void runsAPluginAgainWhenItsTokenIsRefused() throws Exception {
        good.add("Bearer t2");
        try (ApiServer server = withPlugin(credential("t$(wc -l < runs)", ""))) {
            assertInstanceOf(Answer.Done.class, read(server));
            assertEquals(List.of(READ + "Bearer t1", READ + "Bearer t2"), stub.log());
            assertInstanceOf(Answer.Done.class, read(server));
            assertEquals(2, runs());
        }
    }

    @Test
    void saysWhyAPluginFails() {
        HearthException failed = assertThrows(
                HearthException.class,
                () -> withPlugin("echo 'Token has expired' >&2; echo 'run aws sso login' >&2; exit 255"));
        assertEquals("CLUSTER_UNREACHABLE", failed.code());
        assertEquals(
                "master k8s: exec plug-in 'bash' of user 'me': exit status 255, Token has expired; run aws sso login"
                        + " (expected: 0); run it by hand",
                failed.getMessage());
    }

    @Test
    void tellsRequestsWhyAPluginFailsLater() throws Exception {
        String expiry = ",\"expirationTimestamp\":\""
                + access.ticker.wall().plusSeconds(600).toString() + "\"";
        good.add("Bearer t");
        try (ApiServer server =
                withPlugin("[ $(wc -l < runs) = 2 ] && { echo away >&2; exit 7; }\n" + credential("t", expiry))) {
            access.ticker.advance(Duration.ofMinutes(10));
            for (int i = 0; i < 3; i++) {
                Answer.Refused refused = (Answer.Refused) read(server);
                assertEquals(RefusalKind.UNAUTHENTICATED, refused.kind());
                assertTrue(refused.words().contains("exit status 7, away"), refused::words);
            }
            assertEquals(2, runs(), "it is not run again before a pause is over");
            assertEquals(List.of(), stub.log());
        }
    }

    @Test
    void showsNoCredentials() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "s3cret");
        AccessSource source =
                new AccessSource(TextSource.NONE, false, UserEntry.ofToken(TextSource.of(token)), access.ticker);
        AccessSource.Reading reading = source.read(false);
        assertEquals("Bearer s3cret", reading.access().authorization());
        assertFalse(reading.toString().contains("s3cret"), reading::toString);
        Renewal<Access> renewal = new Renewal<>();
        renewal.read(reading.access(), 1, 2);
        assertFalse(renewal.held().toString().contains("s3cret"));
        try (ApiServer server = withTokenFile(token)) {
            Answer refused = read(server);
            assertFalse(refused.toString().contains("s3cret"), refused::toString);
        }
    }
}
