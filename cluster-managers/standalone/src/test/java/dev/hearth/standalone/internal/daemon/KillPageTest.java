package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests who may kill applications and drivers by HTTP, and how. */
class KillPageTest {
    private static final String FORM = "id=%s&terminate=true";

    private final List<String> killed = new ArrayList<>();
    private final ClusterView view = new ClusterView() {
        @Override
        public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
            if (!application.value().equals("app-1")) {
                return CompletableFuture.failedStage(
                        ErrorCode.APPLICATION_UNKNOWN.failure("application " + application + ": not known"));
            }
            killed.add(application + ", " + reason);
            return CompletableFuture.completedStage(
                    ApplicationEntry.of(application, "name", ApplicationEntry.State.RUNNING));
        }
    };
    private final ClusterClient client = new ClusterClient() {
        @Override
        public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
            throw new AssertionError("submit (expected: not called in this test)");
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
            throw new AssertionError("status (expected: not called in this test)");
        }

        @Override
        public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
            if (!pattern.text().equals("driver-1")) {
                return CompletableFuture.completedStage(List.of());
            }
            killed.add(pattern.text());
            return CompletableFuture.completedStage(List.of(new SubmissionStatus(
                    new SubmissionId("driver-1"), SubmissionState.RUNNING, "", "", OptionalInt.empty(), "", "")));
        }

        @Override
        public CompletionStage<Integer> clear() {
            throw new AssertionError("clear (expected: not called in this test)");
        }

        @Override
        public void close() {}
    };

    @Test
    void killsAnApplication() {
        HttpAnswer answer = post("/app/kill", FORM.formatted("app-1"));
        assertEquals(302, answer.status());
        assertEquals(List.of("app-1, request by HTTP from 127.0.0.1:4711"), killed);
    }

    @Test
    void killsADriver() {
        assertEquals(302, post("/driver/kill", FORM.formatted("driver-1")).status());
        assertEquals(List.of("driver-1"), killed);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "/app/kill, id=app-1, 400",
        "/app/kill, id=app-1&terminate=false, 400",
        "/app/kill, terminate=true, 400",
        "/app/kill, id=app-1&id=app-2&terminate=true, 400",
        "/app/kill, id=app%20%2F1&terminate=true, 400",
        "/app/kill, id=%zz&terminate=true, 400",
        "/app/kill, id=app-2&terminate=true, 404",
        "/driver/kill, id=driver-*&terminate=true, 400",
        "/driver/kill, id=driver-2&terminate=true, 404",
    })
    void refusesOtherForms(String path, String form, int status) {
        assertEquals(status, post(path, form).status());
        assertEquals(List.of(), killed);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "hearth.ui.killEnabled, false, 127.0.0.1:1, 403",
        "hearth.master.ui.kill.allow.mode, LOCAL, 192.0.2.9:1, 403",
        "hearth.master.ui.kill.allow.mode, allow, 192.0.2.9:1, 302",
        "hearth.master.ui.kill.allow.mode, DENY, 127.0.0.1:1, 403",
    })
    void servesWhomTheSettingsAllow(String key, String value, String remote, int status) {
        HttpAnswer answer = answer(Map.of(key, value), "POST", "/app/kill", FORM.formatted("app-1"), remote);
        assertEquals(status, answer.status());
        assertTrue(status == 302 || text(answer).contains(key), text(answer));
    }

    @Test
    void killsNothingByALink() {
        HttpAnswer answer = answer(Map.of(), "GET", "/app/kill", FORM.formatted("app-1"), "127.0.0.1:1");
        assertEquals(405, answer.status());
        assertEquals(List.of(), killed);
    }

    private HttpAnswer post(String path, String form) {
        return answer(Map.of(), "POST", path, form, "127.0.0.1:4711");
    }

    private HttpAnswer answer(Map<String, String> settings, String method, String path, String form, String remote) {
        HttpRequest request = new HttpRequest(
                method,
                path,
                path,
                Map.of(),
                Map.of("content-type", List.of("application/x-www-form-urlencoded")),
                Bytes.owning(form.getBytes(StandardCharsets.UTF_8)),
                remote,
                false);
        return Objects.requireNonNull(KillPage.of(view, client, Settings.empty().with("test", settings))
                        .get(path))
                .handle(request)
                .toCompletableFuture()
                .join();
    }

    private static String text(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }
}
