package dev.hearth.kubernetes.internal.placement;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Owns a {@link Placement} on an event loop, and sends its request. */
public final class PlacementShell {
    private final ApiServer server;
    private final EventLoop loop;
    private final ApiObject object;
    private final Placement placement;
    private final CompletableFuture<ObjectFacts> placed = new CompletableFuture<>();

    private PlacementShell(ApiServer server, EventLoop loop, ApiObject object, Placement placement) {
        this.server = server;
        this.loop = loop;
        this.object = object;
        this.placement = placement;
    }

    /**
     * Creates {@code object} within {@code bound}. Call it on {@code loop}, on which the result completes. Fails with
     * {@code SUBMISSION_REFUSED} or {@code CLUSTER_UNREACHABLE}.
     */
    public static CompletionStage<ObjectFacts> place(
            ApiServer server, EventLoop loop, ApiObject object, Duration bound) {
        String nonce = object.labels().getOrDefault(Placement.NONCE, "");
        Placement placement = new Placement(nonce, bound, loop.ticker().nanos());
        PlacementShell shell = new PlacementShell(server, loop, object, placement);
        shell.request();
        return shell.placed;
    }

    private void request() {
        server.create(object, answer -> loop.execute(() -> answered(answer)));
    }

    private void answered(Answer answer) {
        Optional<ObjectFacts> facts = placement.answered(answer, loop.ticker().nanos());
        switch (placement.state()) {
            case PLACED ->
                placed.complete(facts.orElseThrow(
                        () -> new IllegalStateException(object + ": created without facts (expected: the object)")));
            case PLACING -> loop.schedule(placement.pause(), this::request);
            case REFUSED ->
                placed.completeExceptionally(ErrorCode.SUBMISSION_REFUSED.failure(
                        describe() + ": not created: " + Words.of(answer) + " (expected: created)"));
            case UNSURE ->
                placed.completeExceptionally(
                        ErrorCode.CLUSTER_UNREACHABLE.failure(describe() + ": not known to be created: "
                                + Words.of(answer) + " (expected: an answer of the API server)"));
        }
    }

    private String describe() {
        return object + " in namespace " + server.namespace();
    }
}
