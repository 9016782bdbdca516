package dev.hearth.testkit.rpc;

import dev.hearth.api.HearthException;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskInVain;
import dev.hearth.testkit.rpc.ContractMessages.AskRefused;
import dev.hearth.testkit.rpc.ContractMessages.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Endpoint that records its lifecycle in any dispatch mode. Answers {@link Ask} with its value and {@code Ask(-1)} with
 * the id of the asking peer; throws an exception on {@link AskRefused}. Marks calls that overlap another call, which no
 * dispatch mode allows. Any thread may read.
 */
final class LifecycleRecorder implements RpcEndpoint {
    private final List<String> lines = new ArrayList<>(); // guarded by itself, as are the fields below
    private final List<Wait> waits = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final AtomicBoolean busy = new AtomicBoolean();

    @Override
    public void started() {
        alone("started", () -> {});
    }

    @Override
    public void receive(Record message, RpcCall call) {
        if (message instanceof Count count) {
            alone("count " + count.value(), () -> {});
        } else if (message instanceof Ask ask) {
            int answer = ask.value() == -1 ? (int) call.peer().id() : ask.value();
            alone("ask " + ask.value(), () -> call.reply(new Answer(answer)));
        } else if (message instanceof AskInVain) {
            alone("ask in vain", () -> {});
        } else if (message instanceof ContractMessages.Everything) {
            alone("everything", () -> call.reply(message));
        } else {
            alone("mistake", () -> {
                throw new IllegalArgumentException("broken on purpose");
            });
        }
    }

    @Override
    public void peerConnected(Peer peer) {
        synchronized (lines) {
            peers.add(peer); // added before the line is recorded, because tests wait for that line
        }
        alone("connected " + peer.id(), () -> {});
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        alone("lost " + peer.id(), () -> {});
    }

    @Override
    public void networkFailed(String remote, HearthException failure) {
        alone("network " + failure.code(), () -> {});
    }

    @Override
    public void failed(RuntimeException failure) {
        alone("failed " + failure.getMessage(), () -> {});
    }

    @Override
    public void stopped() {
        alone("stopped", () -> {});
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** All peers that have connected so far, in the order of their connection. */
    List<Peer> peers() {
        synchronized (lines) {
            return List.copyOf(peers);
        }
    }

    /** Completion stage of all lines recorded so far; it completes once they satisfy {@code enough}. */
    CompletionStage<List<String>> until(Predicate<List<String>> enough) {
        Wait wait = new Wait(enough, new CompletableFuture<>());
        List<String> now;
        synchronized (lines) {
            now = List.copyOf(lines);
            if (!enough.test(now)) {
                waits.add(wait);
                return wait.stage;
            }
        }
        wait.stage.complete(now);
        return wait.stage;
    }

    CompletionStage<List<String>> untilHolds(String line) {
        return until(all -> all.contains(line));
    }

    CompletionStage<List<String>> untilSize(int size) {
        return until(all -> all.size() >= size);
    }

    private void alone(String line, Runnable action) {
        boolean overlaps = !busy.compareAndSet(false, true);
        try {
            write(overlaps ? line + " within another call" : line);
            action.run();
        } finally {
            busy.set(false);
        }
    }

    private void write(String line) {
        List<Wait> satisfied = new ArrayList<>();
        List<String> now;
        synchronized (lines) {
            lines.add(line);
            now = List.copyOf(lines);
            waits.removeIf(wait -> wait.enough.test(now) && satisfied.add(wait));
        }
        satisfied.forEach(wait -> wait.stage.complete(now));
    }

    private record Wait(Predicate<List<String>> enough, CompletableFuture<List<String>> stage) {}
}
