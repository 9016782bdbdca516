package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Kills applications and drivers by {@code POST /app/kill} and {@code POST /driver/kill} with the fields {@code id} and {@code
 * terminate=true}, as the forms of Spark's master do. Redirects to the page of the master, as Spark does. Any thread may call.
 */
final class KillPage implements HttpHandler {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.ui.killEnabled",
            true,
            "Whether a master kills applications and drivers by HTTP (`POST /app/kill`, `POST /driver/kill`).");

    static final SettingKey<AllowedRemotes> ALLOWED = SettingKey.choice(
            "hearth.master.ui.kill.allow.mode",
            AllowedRemotes.class,
            AllowedRemotes.LOCAL,
            "Who may kill applications and drivers by HTTP (`POST /app/kill`, `POST /driver/kill`): LOCAL, requests from the"
                    + " machine of the master; ALLOW, every request that the port serves; DENY, nobody.");

    private static final int FOUND = 302;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final String kind;
    private final boolean isEnabled;
    private final AllowedRemotes allowed;
    private final Kill kill;

    /** Kills what has an id. Fails with {@code IllegalArgumentException} if there can be no such id. */
    @FunctionalInterface
    private interface Kill {
        CompletionStage<?> kill(String id, String reason);
    }

    private KillPage(String kind, Settings settings, Kill kill) {
        SettingsReader in = new SettingsReader(settings);
        this.kind = kind;
        this.isEnabled = in.read(ENABLED);
        this.allowed = in.read(ALLOWED);
        this.kill = kill;
        in.finish();
    }

    /** The pages of a master, by their paths. */
    static Map<String, HttpHandler> of(ClusterView view, ClusterClient client, Settings settings) {
        Map<String, HttpHandler> pages = new TreeMap<>();
        pages.put(
                "/app/kill",
                new KillPage("application", settings, (id, reason) -> view.kill(new ApplicationId(id), reason)));
        pages.put(
                "/driver/kill",
                new KillPage(
                        "driver",
                        settings,
                        (id, reason) -> client.kill(new SubmissionPattern(new SubmissionId(id).value()))
                                .thenApply(killed -> requireKnown(id, killed))));
        return pages;
    }

    private static List<SubmissionStatus> requireKnown(String id, List<SubmissionStatus> killed) {
        if (killed.isEmpty()) {
            throw ErrorCode.SUBMISSION_UNKNOWN.failure(
                    "driver " + id + ": not known to this master (expected: one that waits, runs, or ended lately)");
        }
        return killed;
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        if (!request.method().equals("POST")) {
            return CompletableFuture.completedStage(
                    HttpAnswer.text(METHOD_NOT_ALLOWED, request.method() + ": not possible here (expected: POST)\n")
                            .with("Allow", "POST"));
        }
        if (!isEnabled || !allowed.permit(request.remote())) {
            return answer(
                    FORBIDDEN,
                    kind + ": kill asked for from " + request.remote() + " (expected: a request that "
                            + (isEnabled ? ALLOWED.name() + " = " + allowed : ENABLED.name() + " = false")
                            + " allows)");
        }
        try {
            List<String> ids = FormFields.of(request, "id");
            if (ids.size() != 1 || !FormFields.of(request, "terminate").equals(List.of("true"))) {
                return answer(
                        BAD_REQUEST,
                        kind + ": kill of " + ids.size() + " ids (expected: id=ID, one, and terminate=true)");
            }
            return kill.kill(ids.get(0), "request by HTTP from " + request.remote())
                    .<HttpAnswer>thenApply(killed -> HttpAnswer.text(FOUND, kind + " " + ids.get(0) + " is killed\n")
                            .with("Location", request.link("/")))
                    .exceptionally(KillPage::refusal);
        } catch (IllegalArgumentException malformed) {
            return answer(BAD_REQUEST, kind + ": " + malformed.getMessage());
        }
    }

    private static HttpAnswer refusal(Throwable failure) {
        ErrorCode code = Failures.code(failure);
        boolean isUnknown = code == ErrorCode.APPLICATION_UNKNOWN || code == ErrorCode.SUBMISSION_UNKNOWN;
        return HttpAnswer.text(isUnknown ? NOT_FOUND : UNAVAILABLE, Failures.describe(failure) + "\n");
    }

    private static CompletionStage<HttpAnswer> answer(int status, String text) {
        return CompletableFuture.completedStage(HttpAnswer.text(status, text + "\n"));
    }

    @Override
    public String description() {
        return "kills a " + kind + ": POST id=ID&terminate=true";
    }
}
