package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.OBJECT;
import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One effect is one request on the wire, whatever the answer is (H2). */
class ApiRequestsTest {
    private static final String PODS = "/api/v1/namespaces/team/pods";

    @TempDir
    private Path home;

    private StubApiServer stub;
    private ApiServer server;

    @BeforeEach
    void open() throws IOException {
        stub = StubApiServer.plain();
        Path token = Files.writeString(home.resolve("token"), "t0ken\n");
        server = new StubAccess(home)
                .open(
                        "k8s://http://127.0.0.1:" + stub.port(),
                        "namespace",
                        "team",
                        "authenticate.oauthTokenFile",
                        token.toString(),
                        "driver.requestTimeout",
                        "500");
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        stub.close();
    }

    private Map<String, Consumer<Consumer<Answer>>> effects() {
        return Map.of(
                "POST " + PODS, to -> server.create(OBJECT, to),
                "PATCH " + PODS + "/a", to -> server.patch(Resource.POD, "a", "{}", to),
                "DELETE " + PODS + "/a",
                        to -> server.delete(Resource.POD, "a", Optional.of("u1"), OptionalInt.empty(), to),
                "DELETE " + PODS + "?labelSelector=a",
                        to -> server.deleteAll(Resource.POD, "a", OptionalInt.empty(), to));
    }

    /** Runs each effect against {@code handler}, and checks that it was one request. */
    private void requireOneRequest(StubApiServer.Handler handler, Consumer<Answer> check) throws Exception {
        stub.answer(handler);
        for (Map.Entry<String, Consumer<Consumer<Answer>>> effect : effects().entrySet()) {
            stub.requests.clear();
            check.accept(answer(effect.getValue()));
            assertEquals(List.of(effect.getKey() + " Bearer t0ken"), stub.log());
        }
    }

    @Test
    void createsAPodByOneRequestWithTheToken() throws Exception {
        stub.answer(exchange -> exchange.reply(201, POD));
        Answer.Done done = (Answer.Done) answer(to -> server.create(OBJECT, to));

        assertEquals(List.of("POST " + PODS + " Bearer t0ken"), stub.log());
        assertEquals("{}", stub.requests.get(0).body());
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
    void repeatsNothingThatTheServerRefuses() throws Exception {
        for (int status : List.of(400, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504)) {
            requireOneRequest(
                    exchange -> exchange.reply(status, "{\"message\":\"no\"}", "Retry-After: 2"),
                    answer -> assertTrue(
                            answer instanceof Answer.Refused || answer instanceof Answer.Missing, answer::toString));
        }
    }

    @Test
    void repeatsNothingWithoutAnAnswer() throws Exception {
        requireOneRequest(StubApiServer.Exchange::reset, answer -> assertInstanceOf(Answer.Unknown.class, answer));
        requireOneRequest(
                exchange -> {
                    throw new IOException("closed");
                },
                answer -> assertInstanceOf(Answer.Unknown.class, answer));
    }

    @Test
    void repeatsNothingAfterAnAnswerThatCannotBeRead() throws Exception {
        stub.answer(exchange -> exchange.reply(201, "<html>"));
        assertInstanceOf(Answer.Unknown.class, answer(to -> server.create(OBJECT, to)));
        assertEquals(1, stub.requests.size());
    }

    @Test
    void repeatsNothingAfterItsTime() throws Exception {
        requireOneRequest(
                exchange -> exchange.in.read(), // until the client gives up
                answer -> assertInstanceOf(Answer.Unknown.class, answer));
    }

    @Test
    void repeatsNothingForACutAnswer() throws Exception {
        requireOneRequest(
                exchange -> {
                    exchange.begin(200);
                    exchange.chunk("{\"kind\":");
                    exchange.reset();
                },
                answer -> assertInstanceOf(Answer.Unknown.class, answer));
    }

    @Test
    void followsNoRedirect() throws Exception {
        requireOneRequest(
                exchange -> exchange.reply(307, "", "Location: http://127.0.0.1:" + stub.port() + "/elsewhere"),
                answer -> assertEquals(
                        new Answer.Refused(RefusalKind.INVALID, "HTTP status 307", Duration.ZERO), answer));
    }

    @Test
    void returnsAnObjectThatExists() throws Exception {
        stub.answer(exchange -> {
            boolean posted = exchange.request.method().equals("POST");
            exchange.reply(posted ? 409 : 200, posted ? "{\"reason\":\"AlreadyExists\",\"message\":\"exists\"}" : POD);
        });
        Answer.Exists exists = (Answer.Exists) answer(to -> server.create(OBJECT, to));
        assertEquals("u1", exists.object().uid());
    }

    @Test
    void saysHowLongTheServerWantsPeace() throws Exception {
        stub.answer(exchange -> exchange.reply(
                503, "{\"reason\":\"ServiceUnavailable\",\"message\":\"etcd is away\"}", "Retry-After: 2"));
        assertEquals(
                new Answer.Refused(RefusalKind.SERVER, "etcd is away", Duration.ofSeconds(2)),
                answer(to -> server.create(OBJECT, to)));
    }

    @Test
    void understandsAServerThatHasTooManyRequests() throws Exception { // K19: its answer is no JSON
        stub.answer(exchange -> exchange.reply(429, "Too many requests, please try again later.", "Retry-After: 1"));
        Answer refused = new Answer.Refused(RefusalKind.THROTTLED, "HTTP status 429", Duration.ofSeconds(1));
        assertEquals(refused, answer(to -> server.create(OBJECT, to)));
        assertEquals(refused, answer(to -> server.patch(Resource.POD, "p", "{}", to)));
        assertEquals(refused, answer(to -> server.deleteAll(Resource.POD, "a=b", OptionalInt.empty(), to)));
        assertEquals(refused, answer(to -> server.list(Resource.POD, "a=b", "", to)));
    }

    @Test
    void deletesBySelectorAndByUid() throws Exception {
        stub.answer(exchange -> exchange.reply(200, "{}"));
        answer(to -> server.deleteAll(Resource.POD, "a=b,c in (1,2)", OptionalInt.of(5), to));
        answer(to -> server.delete(Resource.SECRET, "s", Optional.of("u1"), OptionalInt.empty(), to));

        StubApiServer.Request all = stub.requests.get(0);
        assertEquals("DELETE " + PODS + "?labelSelector=a%3Db%2Cc+in+%281%2C2%29 Bearer t0ken", all.line());
        assertTrue(all.body().contains("\"gracePeriodSeconds\":5"), all::body);
        StubApiServer.Request one = stub.requests.get(1);
        assertEquals("DELETE /api/v1/namespaces/team/secrets/s Bearer t0ken", one.line());
        assertTrue(one.body().contains("\"preconditions\":{\"uid\":\"u1\"}"), one::body);
    }

    @Test
    void deletesAnObjectThatHasNotChanged() throws Exception {
        stub.answer(exchange -> exchange.reply(
                409, "{\"kind\":\"Status\",\"reason\":\"Conflict\",\"message\":\"Precondition failed\"}"));
        ObjectFacts seen = ObjectFacts.of("app-orders", "u1", "17");
        Answer.Refused refused = (Answer.Refused) answer(to -> server.deleteUnchanged(Resource.SECRET, seen, to));
        assertEquals(RefusalKind.CONFLICT, refused.kind());
        String body = stub.requests.get(0).body();
        assertTrue(body.contains("\"preconditions\":{\"uid\":\"u1\",\"resourceVersion\":\"17\"}"), body);
    }

    @Test
    void readsTheAnnotationsOfHearthAlone() throws Exception {
        stub.answer(
                exchange -> exchange.reply(
                        200,
                        "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\",\"annotations\":{\"hearth.dev/epoch\":\"3\",\"team\":\"x\"}}}"));
        Answer.Done done = (Answer.Done) answer(to -> server.read(Resource.SECRET, "a", to));
        assertEquals(
                Map.of("hearth.dev/epoch", "3"), done.object().orElseThrow().annotations());
    }

    @Test
    void answersAfterItWasClosed() throws Exception {
        server.close();
        assertInstanceOf(Answer.Unknown.class, answer(to -> server.create(OBJECT, to)));
        assertEquals(0, stub.requests.size());
    }
}
