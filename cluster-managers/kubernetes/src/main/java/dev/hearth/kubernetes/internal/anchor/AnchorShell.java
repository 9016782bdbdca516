package dev.hearth.kubernetes.internal.anchor;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns an {@link Anchor} on the application's event loop, and sends its requests. Used once. */
public final class AnchorShell implements AnchorEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(AnchorShell.class);

    private final ApiServer server;
    private final EventLoop loop;
    private final AnchorContent content;
    private final Listener listener;
    private final Anchor anchor;
    private final CompletableFuture<ObjectFacts> held = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private boolean renewalRefused; // said once

    /** Receives what happens to the anchor once it is held, on the loop. */
    public interface Listener {
        /** The epoch of this driver is higher than before. */
        void raised();

        /** The anchor was deleted by a stranger, and exists again as {@code anchor}. */
        void recreated(ObjectFacts anchor);

        /** A later driver of this application has the number {@code epoch}. */
        void superseded(long epoch);
    }

    public AnchorShell(ApiServer server, EventLoop loop, AnchorContent content, Listener listener) {
        this.server = server;
        this.loop = loop;
        this.content = content;
        this.listener = listener;
        this.anchor = new Anchor(
                content::isOfApplication,
                content.nonce(),
                content.renews(),
                loop.ticker().nanos());
    }

    /**
     * Creates the anchor, or takes that of an earlier driver. Call it on the loop, on which the result completes. Fails with
     * {@code SUBMISSION_REFUSED} or {@code CLUSTER_UNREACHABLE}.
     */
    public CompletionStage<ObjectFacts> begin() {
        perform(anchor.begin(now()));
        return held;
    }

    /** Number of this driver among those of its application. */
    public long epoch() {
        return anchor.epoch();
    }

    /** Looks whether the anchor exists, unless that was seen a short time ago. */
    public void doubt() {
        perform(anchor.doubt(now()));
    }

    /** Raises the epoch above {@code other}; {@link Listener#raised} follows. */
    public void raise(long other) {
        perform(anchor.raise(other));
    }

    /** Handles that pods of a later driver exist. */
    public void superseded() {
        anchor.superseded();
    }

    /** Gives the anchor up, and deletes it if {@code deletes}. Completes when that is done or impossible. */
    public CompletionStage<Void> release(boolean deletes) {
        perform(anchor.release(deletes));
        return released;
    }

    @Override
    public void onSend(AnchorEffect.Send effect) {
        Consumer<Answer> answer = given -> loop.execute(() -> answered(effect.request(), given));
        switch (effect.request()) {
            case CREATE -> server.create(content.anchor(anchor.epochToWrite()), answer);
            case READ -> server.read(Resource.SECRET, content.anchorName(), answer);
            case TAKE ->
                server.patch(
                        Resource.SECRET,
                        content.anchorName(),
                        content.takeOver(anchor.seen().version(), anchor.epochToWrite()),
                        answer);
            case RENEW ->
                server.patch(
                        Resource.SECRET,
                        content.anchorName(),
                        content.renewal(anchor.seen().version(), anchor.renewed()),
                        answer);
            case DELETE -> server.deleteUnchanged(Resource.SECRET, anchor.seen(), answer);
        }
    }

    private void answered(AnchorRequest request, Answer answer) {
        boolean denied = answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.DENIED;
        if (request == AnchorRequest.RENEW && denied && !renewalRefused) {
            renewalRefused = true;
            LOG.warn(
                    "secret {}: not renewed: {} (expected: the right to patch secrets); a sweep may delete it while no"
                            + " executor runs",
                    content.anchorName(),
                    Words.of(answer));
        }
        perform(anchor.answered(answer, now()));
    }

    @Override
    public void onHeld(AnchorEffect.Held effect) {
        if (!held.complete(effect.anchor())) {
            listener.raised();
        }
    }

    @Override
    public void onRecreated(AnchorEffect.Recreated effect) {
        LOG.warn("secret {}: was deleted by another user; it exists again", content.anchorName());
        listener.recreated(effect.anchor());
    }

    @Override
    public void onSuperseded(AnchorEffect.Superseded effect) {
        listener.superseded(effect.epoch());
    }

    @Override
    public void onFailed(AnchorEffect.Failed effect) {
        String what = "secret " + content.anchorName() + " in namespace " + server.namespace() + ": ";
        if (held.isDone()) {
            LOG.warn(
                    "{}was deleted by another user, and not created again: {} (expected: created); the pods stay if this"
                            + " driver is killed",
                    what,
                    Words.of(effect.why()));
            return;
        }
        held.completeExceptionally(
                effect.unsure()
                        ? ErrorCode.CLUSTER_UNREACHABLE.failure(what + "not known to be created: "
                                + Words.of(effect.why()) + " (expected: an answer of the API server)")
                        : ErrorCode.SUBMISSION_REFUSED.failure(
                                what + "not created: " + Words.of(effect.why()) + " (expected: created)"));
    }

    @Override
    public void onReleased(AnchorEffect.Released effect) {
        if (effect.left()) {
            LOG.warn(
                    "secret {}: not known to be deleted (expected: deleted at the end of the application);"
                            + " hearth:sweep deletes it later",
                    content.anchorName());
        }
        released.complete(null);
    }

    @Override
    public void onWake(AnchorEffect.Wake effect) {
        loop.schedule(effect.after(), () -> perform(anchor.wake(now())));
    }

    private void perform(List<AnchorEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
