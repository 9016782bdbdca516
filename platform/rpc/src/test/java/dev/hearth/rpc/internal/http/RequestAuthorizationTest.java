package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to handlers: with the token, or without one from programs of this machine only. */
class RequestAuthorizationTest {
    private static final String BEARER = "Authorization: Bearer " + EmbeddedHttpLane.TOKEN.reveal();
    private final List<HttpRequest> seen = new ArrayList<>();

    @Test
    void requiresTheTokenExceptForOpenHandlers() {
        try (EmbeddedHttpLane talks = talks(EmbeddedHttpLane.withToken(false))) {
            String none = talks.get("/closed");
            assertEquals(401, EmbeddedHttpLane.status(none));
            assertEquals(Optional.of("Bearer realm=\"hearth\""), EmbeddedHttpLane.header(none, "www-authenticate"));
            String wrong = talks.get("/closed", "Authorization: Bearer a-token-that-nobody-guesset");
            assertEquals(401, EmbeddedHttpLane.status(wrong));
            assertTrue(EmbeddedHttpLane.header(wrong, "www-authenticate")
                    .orElseThrow()
                    .contains("invalid_token"));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/closed", BEARER + "x")));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/closed", BEARER.substring(0, BEARER.length() - 1))));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/closed", BEARER.replace("Bearer", "Basic"))));
            assertEquals(401, EmbeddedHttpLane.status(talks.get("/closed", BEARER, BEARER)));
            assertEquals(List.of(), seen);
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/closed", BEARER)));
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/closed", BEARER.replace("Bearer", "bearer"))));
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/open")));
            assertEquals(Optional.empty(), seen.get(0).header("authorization"), "the token is hidden from handlers");
        }
    }

    @Test
    void showsOpenHandlersOnlyWithoutAToken() {
        try (EmbeddedHttpLane talks = talks(EmbeddedHttpLane.withToken(false))) {
            String index = talks.get("/", "Accept: application/json");
            assertTrue(index.contains("\"paths\":[\"/open\"]"), index);
            assertFalse(index.contains("1.2.3"), index);
            assertFalse(talks.get("/nowhere").contains("/closed"));
            assertTrue(talks.get("/", BEARER).contains("/closed"));
        }
    }

    @Test
    void servesRequestsWithoutATokenIfConfigured() {
        try (EmbeddedHttpLane talks = talks(EmbeddedHttpLane.withToken(true))) {
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/closed")));
        }
    }

    @Test
    void saysWhatToSetWhereThereIsAuthenticationButNoToken() {
        RpcSecurity security =
                new RpcSecurity(Optional.of(Secret.random()), true, false, Optional.empty(), Optional.empty(), false);
        try (EmbeddedHttpLane talks = talks(security)) {
            String answer = talks.get("/closed");
            assertEquals(403, EmbeddedHttpLane.status(answer));
            assertTrue(answer.contains("hearth.rest.token.file"), answer);
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/open")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, localhost",
        "200, LOCALHOST:80",
        "200, localhost.",
        "200, 127.0.0.1:7077",
        "200, 127.1.2.3",
        "200, [::1]:7077",
        "200, front.example:1",
        "421, evil.example",
        "421, localhost.evil.example",
        "421, 127.0.0.1.evil.example",
        "421, 10.0.0.1",
        "421, 1270.0.0.1",
        "421, [::2]",
        "400, 'local host'",
        "400, user@localhost"
    })
    void refusesForeignNamesForALoopbackPort(int status, String host) {
        try (EmbeddedHttpLane talks = talks(RpcSecurity.NONE)) {
            assertEquals(
                    status,
                    EmbeddedHttpLane.status(talks.once("GET /closed HTTP/1.1\r\nHost: " + host + "\r\n\r\n")),
                    host);
        }
        RpcSecurity trusted = new RpcSecurity(Optional.empty(), false, true, Optional.empty(), Optional.empty(), false);
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(trusted, "0.0.0.0")) {
            assertEquals(
                    status == 400 ? 400 : 404,
                    EmbeddedHttpLane.status(talks.once("GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n")));
        }
    }

    @Test
    void goesByTheNameInTheTarget() {
        try (EmbeddedHttpLane talks = talks(RpcSecurity.NONE)) {
            assertEquals(421, EmbeddedHttpLane.status(talks.get("http://evil.example/closed")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://evil.example",
                "Origin: null",
                "Origin: http://localhost:2",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site"
            })
    void letsNoPageOfAnotherSiteChangeAnything(String header) {
        try (EmbeddedHttpLane talks = talks(RpcSecurity.NONE)) {
            assertEquals(403, EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("POST", "/closed", header))));
            assertEquals(403, EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("DELETE", "/open", header))));
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/closed", header)));
        }
        try (EmbeddedHttpLane talks = talks(EmbeddedHttpLane.withToken(false))) {
            assertEquals(
                    200,
                    EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("POST", "/closed", header, BEARER))));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Origin: http://localhost:1", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "X: y"})
    void letsOurPagesAndProgramsChangeThings(String header) {
        try (EmbeddedHttpLane talks = talks(RpcSecurity.NONE)) {
            assertEquals(200, EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("POST", "/closed", header))));
        }
    }

    private EmbeddedHttpLane talks(RpcSecurity security) {
        EmbeddedHttpLane talks = new EmbeddedHttpLane(security);
        talks.lane.serve("/closed", request -> {
            seen.add(request);
            return CompletableFuture.completedStage(HttpAnswer.text(200, "x"));
        });
        talks.whiteboard.bind(
                request -> CompletableFuture.completedStage(HttpAnswer.text(200, "x")),
                Map.of(HttpHandler.PREFIX, "/open", HttpHandler.OPEN, true));
        return talks;
    }
}
