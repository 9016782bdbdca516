package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests who may decommission workers by HTTP, and which. */
class DecommissionPageTest {
    private final List<String> asked = new ArrayList<>();
    private final ClusterView view = new ClusterView() {
        @Override
        public CompletionStage<List<String>> decommission(List<String> targets, String reason) {
            asked.addAll(targets);
            asked.add(reason);
            return CompletableFuture.completedStage(targets.contains("h") ? List.of("worker-1") : List.of());
        }
    };

    @ParameterizedTest(name = "{0} from {1}")
    @CsvSource({
        "LOCAL, 127.0.0.1:4711, 200",
        "LOCAL, [::1]:4711, 200",
        "LOCAL, 127.0.0.1, 200",
        "LOCAL, 192.0.2.9:4711, 403",
        "LOCAL, localhost:4711, 403",
        "ALLOW, 192.0.2.9:4711, 200",
        "DENY, 127.0.0.1:4711, 403"
    })
    void servesWhomTheSettingAllows(AllowedRemotes allowed, String remote, int status) {
        assertEquals(
                status,
                answer(allowed, "POST", remote, Map.of("host", List.of("h")), "")
                        .status());
    }

    @Test
    void decommissionsTheWorkersOfTheHosts() {
        HttpAnswer answer = answer(AllowedRemotes.ALLOW, "POST", "127.0.0.1:1", Map.of("host", List.of("h", "i")), "");
        assertEquals("{\"workers\":[\"worker-1\"]}\n", text(answer));
        assertEquals(List.of("h", "i", "request by HTTP from 127.0.0.1:1"), asked);
    }

    @Test
    void readsHostsOfAForm() {
        assertEquals(
                200,
                answer(AllowedRemotes.ALLOW, "POST", "127.0.0.1:1", Map.of(), "host=g%20g&host=h")
                        .status());
        assertEquals(List.of("g g", "h"), asked.subList(0, 2));
    }

    @Test
    void refusesAFormThatIsNotEncoded() {
        HttpAnswer answer = answer(AllowedRemotes.ALLOW, "POST", "127.0.0.1:1", Map.of(), "host=%zz");
        assertEquals(400, answer.status());
        assertEquals(List.of(), asked);
    }

    @Test
    void saysWhatItCannotDo() {
        assertEquals(
                404,
                answer(AllowedRemotes.ALLOW, "POST", "127.0.0.1:1", Map.of("host", List.of("x")), "")
                        .status());
        assertEquals(
                400,
                answer(AllowedRemotes.ALLOW, "POST", "127.0.0.1:1", Map.of("host", List.of(" ")), "")
                        .status());
        assertEquals(
                405,
                answer(AllowedRemotes.ALLOW, "GET", "127.0.0.1:1", Map.of("host", List.of("h")), "")
                        .status());
    }

    private HttpAnswer answer(
            AllowedRemotes allowed, String method, String remote, Map<String, List<String>> query, String form) {
        HttpRequest request = new HttpRequest(
                method,
                "/workers/kill",
                "/workers/kill",
                query,
                form.isEmpty() ? Map.of() : Map.of("content-type", List.of("application/x-www-form-urlencoded")),
                Bytes.owning(form.getBytes(StandardCharsets.UTF_8)),
                remote,
                false);
        return new DecommissionPage(view, allowed)
                .handle(request)
                .toCompletableFuture()
                .join();
    }

    private static String text(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }
}
