package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decommissions the workers of hosts by {@code POST /workers/kill/?host=NAME&host=NAME}, as Spark's master does. Answers 200
 * with the ids of the workers, 404 if there are none. Any thread may call.
 */
final class DecommissionPage implements HttpHandler {
    static final String PREFIX = "/workers/kill";

    static final SettingKey<AllowedRemotes> ALLOWED = SettingKey.choice(
            "hearth.master.ui.decommission.allow.mode",
            AllowedRemotes.class,
            AllowedRemotes.LOCAL,
            "Who may decommission workers by HTTP (`POST /workers/kill/?host=NAME`): LOCAL, requests from the machine of the"
                    + " master; ALLOW, every request that the port serves; DENY, nobody.");

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final ClusterView view;
    private final AllowedRemotes allowed;

    DecommissionPage(ClusterView view, AllowedRemotes allowed) {
        this.view = view;
        this.allowed = allowed;
    }

    static DecommissionPage of(ClusterView view, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        AllowedRemotes allowed = in.read(ALLOWED);
        in.finish();
        return new DecommissionPage(view, allowed);
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        if (!request.method().equals("POST")) {
            return answer(
                    METHOD_NOT_ALLOWED, request.method() + ": not possible here (expected: POST)", "Allow", "POST");
        }
        if (!allowed.permit(request.remote())) {
            return answer(
                    FORBIDDEN,
                    "decommission: asked for from " + request.remote() + " (expected: a request that"
                            + " hearth.master.ui.decommission.allow.mode = " + allowed + " allows)");
        }
        List<String> hosts;
        try {
            hosts = FormFields.of(request, "host");
        } catch (IllegalArgumentException malformed) {
            return answer(
                    BAD_REQUEST, "decommission: " + malformed.getMessage() + " (expected: host=NAME, URL-encoded)");
        }
        if (hosts.isEmpty()) {
            return answer(BAD_REQUEST, "decommission: no host (expected: ?host=NAME, which may be repeated)");
        }
        return view.decommission(hosts, "request by HTTP from " + request.remote())
                .thenApply(workers -> HttpAnswer.json(
                        workers.isEmpty() ? NOT_FOUND : OK, new JsonBuilder().texts("workers", workers) + "\n"));
    }

    @Override
    public String description() {
        return "decommissions the workers of hosts: POST ?host=NAME";
    }

    private static CompletionStage<HttpAnswer> answer(int status, String text, String... header) {
        HttpAnswer answer = HttpAnswer.text(status, text + "\n");
        return CompletableFuture.completedStage(header.length == 0 ? answer : answer.with(header[0], header[1]));
    }
}
