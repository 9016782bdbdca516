package dev.hearth.testkit.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Records the calls of an endpoint, in order, so that tests can wait for them. Owned by the loop of that endpoint. */
final class MessageRecorder {
    private final EventLoop loop;
    private final List<String> events = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    MessageRecorder(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Records one call of the endpoint as the text {@code what}, marked if the call came outside the event loop of the
     * endpoint.
     */
    void note(String what) {
        events.add(loop.inLoop() ? what : what + " outside the loop");
        waits.removeIf(wait -> {
            boolean enough = wait.enough.test(events);
            if (enough) {
                wait.stage.complete(List.copyOf(events));
            }
            return enough;
        });
    }

    void lost(Peer peer) {
        note("lost " + peer.id());
    }

    /**
     * Completion stage of all calls recorded so far; it completes once they satisfy {@code enough}. Any thread may
     * call.
     */
    CompletionStage<List<String>> until(Predicate<List<String>> enough) {
        Wait wait = new Wait(enough, new CompletableFuture<>());
        loop.execute(() -> {
            if (enough.test(events)) {
                wait.stage.complete(List.copyOf(events));
            } else {
                waits.add(wait);
            }
        });
        return wait.stage;
    }

    CompletionStage<List<String>> untilSize(int size) {
        return until(all -> all.size() >= size);
    }

    private record Wait(Predicate<List<String>> enough, CompletableFuture<List<String>> stage) {}
}
