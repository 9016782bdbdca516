package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.rpc.HttpTrust;
import dev.hearth.spi.rpc.RpcSecurity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Constants;

/** Gates decide on requests before the token does, in the order of their ranking, and refuse when they fail. */
class HttpGatesTest {
    private final List<HttpRequest> served = new ArrayList<>();

    @Test
    void admitsAsAUserWithoutTheToken() {
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE)) {
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/x")));
            HttpGate gate = request -> request.header("cookie").orElse("").equals("user=ann")
                    ? new HttpGate.Admitted("ann")
                    : new HttpGate.Undecided();
            bind(talks, gate, 1, 0, "cookies");
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/x", "Cookie: user=ann")));
            assertEquals("ann", served.get(0).client().user());
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/x", "Cookie: user=bob")), "left to the token");
            assertEquals(
                    403,
                    EmbeddedHttpLane.status(talks.once(
                            EmbeddedHttpLane.request("POST", "/x", "Cookie: user=ann", "Origin: http://evil.example"))),
                    "a foreign page changes nothing, although the browser shows the user's cookie");
            talks.whiteboard.unbindGate(gate, Map.of(Constants.SERVICE_ID, 1L));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/x", "Cookie: user=ann")));
        }
    }

    @Test
    void redirectsAndRefuses() {
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE)) {
            bind(talks, request -> new HttpGate.Redirected("https://front.example/go?to=" + request.path()), 1, 0, "a");
            String answer = talks.get("/x");
            assertEquals(302, EmbeddedHttpLane.status(answer));
            assertEquals(Optional.of("https://front.example/go?to=/x"), EmbeddedHttpLane.header(answer, "location"));
            bind(talks, request -> new HttpGate.Refused("only the proxy may ask"), 2, 5, "b");
            String refused = talks.get("/x");
            assertEquals(403, EmbeddedHttpLane.status(refused), "the higher ranking decides");
            assertTrue(refused.contains("only the proxy may ask"), refused);
            assertEquals(List.of(), served);
        }
    }

    @Test
    void aFailingGateRefuses() {
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE)) {
            bind(
                    talks,
                    request -> {
                        throw new IllegalStateException("planted");
                    },
                    1,
                    1,
                    "broken");
            bind(talks, request -> new HttpGate.Admitted(""), 2, 0, "kind");
            String answer = talks.get("/x");
            assertEquals(500, EmbeddedHttpLane.status(answer));
            assertTrue(answer.contains("gate broken: failed"), answer);
            assertFalse(answer.contains("planted"), answer);
        }
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE)) {
            bind(talks, request -> new HttpGate.Redirected("/a\r\nSet-Cookie: x=y"), 1, 1, "splitting");
            assertEquals(500, EmbeddedHttpLane.status(talks.get("/x")));
        }
    }

    @Test
    void asksTheGateOfThePortBeforeThoseOfTheProcess() {
        HttpGate own = request -> request.header("cookie").isPresent()
                ? new HttpGate.Admitted("ann", "/proxy/a")
                : request.secure() ? new HttpGate.Undecided() : new HttpGate.Redirected("/elsewhere");
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE.behind(own))) {
            bind(talks, request -> new HttpGate.Refused("by the process"), 1, Integer.MAX_VALUE, "process");
            assertEquals(302, EmbeddedHttpLane.status(talks.get("/x")));
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/x", "Cookie: proxy")));
            assertEquals("/proxy/a/y", served.get(0).link("/y"));
        }
        try (EmbeddedHttpLane talks = talks(HttpTrust.NONE)) {
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/x")), "another port has no such gate");
        }
    }

    @Test
    void refusesEverythingWhileARequiredGateIsMissing() {
        try (EmbeddedHttpLane talks = talks(new HttpTrust(List.of(), List.of(), List.of("front")))) {
            String answer = talks.get("/open");
            assertEquals(503, EmbeddedHttpLane.status(answer));
            assertTrue(answer.contains("GATE_MISSING") && answer.contains("gate front: not registered"), answer);
            bind(talks, request -> new HttpGate.Undecided(), 1, 0, "front");
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/open")));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/x")));
        }
    }

    private static void bind(EmbeddedHttpLane talks, HttpGate gate, long service, int ranking, String name) {
        talks.whiteboard.bindGate(
                gate, Map.of(Constants.SERVICE_ID, service, Constants.SERVICE_RANKING, ranking, HttpGate.NAME, name));
    }

    private EmbeddedHttpLane talks(HttpTrust trust) {
        RpcSecurity security = EmbeddedHttpLane.withToken(false);
        EmbeddedHttpLane talks = new EmbeddedHttpLane(security, "127.0.0.1", trust);
        talks.lane.serve("/x", request -> {
            served.add(request);
            return CompletableFuture.completedStage(HttpAnswer.text(200, "x"));
        });
        talks.whiteboard.bind(
                request -> CompletableFuture.completedStage(HttpAnswer.text(200, "open")),
                Map.of(HttpHandler.PREFIX, "/open", HttpHandler.OPEN, true));
        return talks;
    }
}
