package dev.hearth.testkit.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** What an endpoint heard, in order, and waits for it to have heard enough. Owned by the loop of that endpoint. */
final class MessageRecorder {
    private final EventLoop loop;
    private final List<String> heard = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    MessageRecorder(EventLoop loop) {
        this.loop = loop;
    }

    /** Notes one thing heard; also notes when the endpoint was called outside its loop. */
    void hear(String what) {
        heard.add(loop.inLoop() ? what : what + " outside the loop");
        waits.removeIf(wait -> {
            boolean enough = wait.enough.test(heard);
            if (enough) {
                wait.stage.complete(List.copyOf(heard));
            }
            return enough;
        });
    }

    void lost(Peer peer) {
        hear("lost " + peer.id());
    }

    /** Completes with everything heard, once it is enough. Any thread may call. */
    CompletionStage<List<String>> until(Predicate<List<String>> enough) {
        Wait wait = new Wait(enough, new CompletableFuture<>());
        loop.execute(() -> {
            if (enough.test(heard)) {
                wait.stage.complete(List.copyOf(heard));
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
