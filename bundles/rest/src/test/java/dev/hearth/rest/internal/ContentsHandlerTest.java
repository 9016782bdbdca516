package dev.hearth.rest.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.TestingSubmissionGateway;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pieces of files that are passed on to a cluster. */
class ContentsHandlerTest {
    private static final String CONTENT = "ab".repeat(32);
    private static final String CLUSTER = "hearth://master:7077";

    private final TestingSubmissionGateway gateway = new TestingSubmissionGateway();
    private final Map<String, List<String>> parameters = new LinkedHashMap<>(Map.of("name", List.of("my app.jar")));
    private Settings settings = Settings.empty();
    private ContentsHandler handler = handler();

    private ContentsHandler handler() {
        return new ContentsHandler(gateway, RestSettings.from(settings), new FakeTicker());
    }

    @Test
    void passesPiecesOnAndSaysWhereTheNextOneBegins() {
        assertAnswer(404, "0", look());
        assertAnswer(204, "3", patch("bytes 0-2/5", 3));
        assertAnswer(404, "3", look());
        assertAnswer(409, "3", patch("bytes 0-2/5", 3));
        HttpAnswer last = patch("bytes 3-4/5", 2);
        assertAnswer(201, "5", last);
        assertTrue(text(last).contains("\"content\" : \"content:/" + CONTENT + "/5/my%20app.jar\""), text(last));
        assertTrue(text(last).contains("\"bytes\" : 5,"), text(last));
        assertAnswer(200, "5", look());
        assertAnswer(200, "5", patch("bytes 0-2/5", 3));
        assertEquals(
                "take 3 bytes from byte 0 of 5 of " + CONTENT + " on " + CLUSTER,
                gateway.questions().get(1));
    }

    @Test
    void takesEmptyFiles() {
        assertAnswer(201, "0", patch("bytes */0", 0));
    }

    @Test
    void asksTheClusterThatARequestNamesUnlessItIsAMaster() {
        parameters.put("master", List.of("hearth://other:7077"));
        look();
        gateway.elsewhere(CLUSTER);
        look();
        assertEquals(
                List.of("held " + CONTENT + " on " + CLUSTER, "held " + CONTENT + " on hearth://other:7077"),
                gateway.questions());
    }

    @ParameterizedTest
    @CsvSource({
        "STORE_FULL, 507",
        "DISK_FAILED, 507",
        "STREAM_DAMAGED, 422",
        "STREAM_MISSING, 501",
        "PROTOCOL_MISMATCH, 501",
        "TOO_MANY_ASKS, 503",
        "CLUSTER_UNREACHABLE, 503",
        "ASK_TIMED_OUT, 503",
        "NO_MANAGER, 400",
        "INTERNAL, 500"
    })
    void answersAsTheClusterFailed(ErrorCode code, int status) {
        gateway.failWith(code.failure("cluster: so (expected: thus)"));
        for (HttpAnswer answer : List.of(look(), patch("bytes 0-2/5", 3))) {
            assertEquals(status, answer.status());
            assertTrue(text(answer).contains("\"code\" : \"" + code + "\""), text(answer));
            assertTrue(text(answer).contains("\"message\" : \"cluster: so (expected: thus)\""), text(answer));
            assertEquals(status == 503, answer.headers().containsKey("Retry-After"));
        }
    }

    @Test
    void refusesWhatIsMalformed() {
        assertEquals(400, patch("bytes 0-3/10", 3).status());
        assertEquals(400, patch("bytes 2-1/10", 0).status());
        assertEquals(400, patch("", 3).status());
        assertEquals(400, answer("HEAD", "abc", Map.of(), 0).status());
        HttpAnswer method = answer("DELETE", CONTENT, Map.of(), 0);
        assertEquals(405, method.status());
        assertEquals("HEAD, GET, PATCH", method.headers().get("Allow"));
        int huge = ContentsHandler.PIECE_BYTES_MAX + 1;
        assertEquals(413, patch("bytes 0-" + (huge - 1) + "/" + huge, huge).status());
        parameters.put("name", List.of("../x"));
        assertEquals(400, patch("bytes 0-2/5", 3).status());
        assertEquals(List.of(), gateway.questions());
    }

    @Test
    void boundsThePiecesOnTheirWay() {
        gateway.beSilent();
        for (int each = 0; each < ContentsHandler.PIECES_MAX; each++) {
            assertFalse(stage("PATCH", CONTENT, Map.of("content-range", List.of("bytes 0-2/5")), 3)
                    .isDone());
        }
        assertEquals(503, patch("bytes 0-2/5", 3).status());
        assertEquals(ContentsHandler.PIECES_MAX, gateway.questions().size());
    }

    @Test
    void asksForASignedTokenWhereSubmissionsDo() {
        assertFalse(handler.isOpen(ContentsHandler.PATH));
        settings = settings.with("test", "hearth.master.rest.filters", "org.apache.spark.ui.JWSFilter")
                .with("test", "hearth.org.apache.spark.ui.JWSFilter.param.secretKey", "A".repeat(43));
        handler = handler();
        assertTrue(handler.isOpen(ContentsHandler.PATH));
        assertEquals(403, look().status());
        assertEquals(List.of(), gateway.questions());
    }

    private HttpAnswer look() {
        return answer("HEAD", CONTENT, Map.of(), 0);
    }

    private HttpAnswer patch(String range, int bytes) {
        return answer("PATCH", CONTENT, Map.of("content-range", List.of(range)), bytes);
    }

    private HttpAnswer answer(String method, String rest, Map<String, List<String>> headers, int bytes) {
        return stage(method, rest, headers, bytes).join();
    }

    private CompletableFuture<HttpAnswer> stage(
            String method, String rest, Map<String, List<String>> headers, int bytes) {
        CompletionStage<HttpAnswer> answer = handler.handle(new HttpRequest(
                method,
                ContentsHandler.PATH + "/" + rest,
                ContentsHandler.PATH,
                parameters,
                headers,
                Bytes.owning(new byte[bytes]),
                "127.0.0.1",
                false));
        return answer.toCompletableFuture();
    }

    private static void assertAnswer(int status, String offset, HttpAnswer answer) {
        assertEquals(status, answer.status(), () -> text(answer));
        assertEquals(offset, answer.headers().get("Upload-Offset"));
    }

    private static String text(HttpAnswer answer) {
        return answer.content() instanceof HttpAnswer.Whole whole
                ? new String(whole.bytes().toArray(), StandardCharsets.UTF_8)
                : answer.content().toString();
    }
}
