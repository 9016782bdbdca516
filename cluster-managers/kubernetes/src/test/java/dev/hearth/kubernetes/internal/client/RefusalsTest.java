package dev.hearth.kubernetes.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kinds of refusals, from a table of which most rows were recorded from a server (H1). */
class RefusalsTest {
    private static final String MISSING = "MISSING";

    /** Row of the table; {@code kind} is that of a refusal, or MISSING. */
    record Row(String origin, int status, String reason, String message, String kind) {
        static Row parse(String line) {
            String[] parts = line.split("\t", -1);
            return new Row(parts[0], Integer.parseInt(parts[1]), parts[2], parts[3], parts[4]);
        }
    }

    static Stream<Row> rows() {
        return StubAccess.text("refusals.tsv")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Row::parse);
    }

    private static Answer answer(int code, String json, String retryAfter) throws JsonProcessingException {
        return Refusals.of(code, new ObjectMapper().readTree(json), retryAfter);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void tellsKindsApart(Row row) throws Exception {
        ObjectNode status = new ObjectMapper()
                .createObjectNode()
                .put("kind", "Status")
                .put("code", row.status)
                .put("message", row.message);
        if (!row.reason.isEmpty()) {
            status.put("reason", row.reason);
        }
        Answer answer = answer(row.status, status.toString(), "");
        if (row.kind.equals(MISSING)) {
            assertEquals(new Answer.Missing(), answer);
        } else {
            String words = row.message.isEmpty() ? "HTTP status " + row.status : row.message;
            assertEquals(new Answer.Refused(RefusalKind.valueOf(row.kind), words), answer);
        }
    }

    @Test
    void hasRowsOfEachKind() {
        List<Row> rows = rows().toList();
        assertTrue(rows.stream().filter(row -> row.origin.equals("1.20")).count() >= 40, "rows from a server");
        Set<RefusalKind> kinds = EnumSet.noneOf(RefusalKind.class);
        rows.stream()
                .map(Row::kind)
                .filter(kind -> !kind.equals(MISSING))
                .forEach(kind -> kinds.add(RefusalKind.valueOf(kind)));
        assertEquals(EnumSet.copyOf(Arrays.asList(RefusalKind.values())), kinds);
    }

    @Test
    void knowsANamespaceThatEndsByItsCause() throws Exception {
        Answer.Refused refused = (Answer.Refused) answer(
                403,
                "{\"reason\":\"Forbidden\",\"message\":\"in other words\",\"details\":{\"causes\":"
                        + "[{\"reason\":\"NamespaceTerminating\"}]}}",
                "");
        assertEquals(RefusalKind.NAMESPACE_ENDING, refused.kind());
    }

    @Test
    void readsThePauseThatTheServerDemands() throws Exception {
        assertEquals(Duration.ofSeconds(3), ((Answer.Refused) answer(429, "{}", "3")).retryAfter());
        assertEquals(Duration.ZERO, ((Answer.Refused) answer(429, "{}", "soon")).retryAfter());
    }
}
