package dev.hearth.kubernetes.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalsTest {
    private static Answer answer(int code, String json, String retryAfter) throws JsonProcessingException {
        return Refusals.of(code, new ObjectMapper().readTree(json), retryAfter);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "403|Forbidden|pods \"\"a\"\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2|QUOTA",
                "403|Forbidden|pods is forbidden: User \"\"x\"\" cannot create resource|DENIED",
                "403|Forbidden|unable to create new content in namespace n because it is being terminated|NAMESPACE_ENDING",
                "400|BadRequest|admission webhook \"\"w\"\" denied the request: no|WEBHOOK_DENIED",
                "403|Forbidden|admission webhook \"\"w\"\" denied the request: no|WEBHOOK_DENIED",
                "500|InternalError|failed calling webhook \"\"w\"\": connection refused|WEBHOOK_DOWN",
                "500|InternalError|etcdserver: leader changed|SERVER",
                "503|ServiceUnavailable|the server is unable to handle the request|SERVER",
                "504|Timeout|the request timed out|SERVER",
                "401|Unauthorized|Unauthorized|UNAUTHENTICATED",
                "409|Conflict|Operation cannot be fulfilled on resourcequotas|CONFLICT",
                "410|Expired|too old resource version|GONE",
                "429|TooManyRequests|too many requests|THROTTLED",
                "422|Invalid|Pod is invalid: spec.containers|INVALID",
            })
    void tellsKindsApart(int code, String reason, String message, RefusalKind kind) throws Exception {
        String json = new ObjectMapper()
                .createObjectNode()
                .put("reason", reason)
                .put("message", message)
                .toString();
        Answer.Refused refused = (Answer.Refused) answer(code, json, "");
        assertEquals(kind, refused.kind());
        assertEquals(message, refused.words());
    }

    @Test
    void readsThePauseThatTheServerDemands() throws Exception {
        assertEquals(Duration.ofSeconds(3), ((Answer.Refused) answer(429, "{}", "3")).retryAfter());
        assertEquals(Duration.ZERO, ((Answer.Refused) answer(429, "{}", "soon")).retryAfter());
    }

    @Test
    void saysTheStatusWhereThereAreNoWords() throws Exception {
        assertEquals("HTTP status 502", ((Answer.Refused) answer(502, "{}", "")).words());
    }

    @Test
    void tellsAMissingObject() throws Exception {
        assertEquals(new Answer.Missing(), answer(404, "{\"message\": \"pods \\\"a\\\" not found\"}", ""));
    }
}
