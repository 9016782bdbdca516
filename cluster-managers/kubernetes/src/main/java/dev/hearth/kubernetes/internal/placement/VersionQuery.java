package dev.hearth.kubernetes.internal.placement;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks an API server for its version, a few times. Owned by an event loop; used once. */
public final class VersionQuery {
    private static final int ATTEMPTS_MAX = 5;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ApiServer server;
    private final EventLoop loop;
    private final CompletableFuture<ServerVersion> found = new CompletableFuture<>();
    private int attempts;

    private VersionQuery(ApiServer server, EventLoop loop) {
        this.server = server;
        this.loop = loop;
    }

    /**
     * Asks {@code server}. Call it on {@code loop}, on which the result completes; it does not fail. A server that does not
     * answer counts as the newest.
     */
    public static CompletionStage<ServerVersion> ask(ApiServer server, EventLoop loop) {
        VersionQuery query = new VersionQuery(server, loop);
        query.request();
        return query.found;
    }

    private void request() {
        attempts++;
        server.version(answer -> loop.execute(() -> answered(answer)));
    }

    private void answered(Answer answer) {
        if (answer instanceof Answer.Text text) {
            found.complete(ServerVersion.parse(text.text()));
        } else if (answer instanceof Answer.Refused || attempts == ATTEMPTS_MAX) {
            found.complete(ServerVersion.NEWEST);
        } else {
            loop.schedule(PAUSE, this::request);
        }
    }
}
