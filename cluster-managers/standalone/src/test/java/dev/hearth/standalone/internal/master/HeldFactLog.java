package dev.hearth.standalone.internal.master;

import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Log whose appends are durable when the test says so. */
final class HeldFactLog implements FactLog {
    private final List<CompletableFuture<Void>> pending = new ArrayList<>();
    Optional<String> hindrance = Optional.empty();
    boolean wantsSnapshot;
    int snapshots;

    void write() {
        pending.remove(0).complete(null);
    }

    @Override
    public CompletionStage<Void> append(List<Bytes> facts) {
        pending.add(new CompletableFuture<>());
        return pending.get(pending.size() - 1);
    }

    @Override
    public Optional<String> hindrance() {
        return hindrance;
    }

    @Override
    public boolean wantsSnapshot() {
        return wantsSnapshot;
    }

    @Override
    public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
        facts.forEach(fact -> snapshots += fact.size() > 0 ? 0 : 1);
        snapshots++;
        return new CompletableFuture<>();
    }
}
