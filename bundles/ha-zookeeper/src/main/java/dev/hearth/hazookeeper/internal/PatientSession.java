package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Session whose requests are repeated until a connection carries them out, or the session has ended. Only requests that
 * may be repeated are asked of it. Results complete on the loop that owns it.
 */
final class PatientSession {
    /** Pause before a request is repeated after a lost connection. */
    private static final Duration RETRY = Duration.ofMillis(100);

    private final ZnodeSession session;
    private final EventLoop loop;
    private boolean ended;

    PatientSession(ZnodeSession session, EventLoop loop) {
        this.session = session;
        this.loop = loop;
    }

    CompletionStage<ZnodeSession.Node> read(String path, boolean watched) {
        return ask(() -> session.read(path, watched));
    }

    CompletionStage<List<String>> children(String path) {
        return ask(() -> session.children(path));
    }

    CompletionStage<Void> change(List<ZnodeChange> changes) {
        return ask(() -> session.change(changes));
    }

    CompletionStage<Void> change(ZnodeChange change) {
        return change(List.of(change));
    }

    /** Whether {@code node} goes with this session. */
    boolean owns(ZnodeSession.Node node) {
        return node.owner() == session.id();
    }

    /** Lets requests fail from now on. */
    void ended() {
        ended = true;
    }

    /** Ends the session. */
    CompletionStage<Void> end() {
        ended = true;
        return session.end();
    }

    private <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        attempt(question, answer);
        return answer;
    }

    private <T> void attempt(Supplier<CompletionStage<T>> question, CompletableFuture<T> answer) {
        if (ended) {
            answer.completeExceptionally(new ZnodeRefused(ZnodeRefused.Why.EXPIRED, "the session has ended"));
            return;
        }
        question.get().whenComplete((found, failure) -> loop.inOrder(() -> answered(question, answer, found, failure)));
    }

    private <T> void answered(
            Supplier<CompletionStage<T>> question,
            CompletableFuture<T> answer,
            @Nullable T found,
            @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(found);
        } else if (ZnodeRefused.of(failure) == ZnodeRefused.Why.DISCONNECTED) {
            loop.schedule(RETRY, () -> attempt(question, answer));
        } else {
            answer.completeExceptionally(failure);
        }
    }
}
