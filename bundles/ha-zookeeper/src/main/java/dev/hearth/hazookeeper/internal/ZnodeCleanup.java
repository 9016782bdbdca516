package dev.hearth.hazookeeper.internal;

import dev.hearth.hazookeeper.internal.ZnodePaths.SnapshotName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletion of nodes that a snapshot has replaced, beside the writing of facts. What it leaves, because the session ends, is
 * deleted after the next snapshot. Owned by the loop of a candidacy.
 */
final class ZnodeCleanup {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final int DELETIONS_MAX = 128; // in one transaction

    private final PatientSession session;
    private final ZnodePaths paths;
    private final ZnodeChange fence;
    private final int epoch;
    private Optional<SnapshotName> wanted = Optional.empty(); // the newest snapshot after which nothing was deleted yet
    private boolean runs;

    /** Creates the cleanup of the leader with the epoch {@code epoch}. */
    ZnodeCleanup(PatientSession session, ZnodePaths paths, int epoch) {
        this.session = session;
        this.paths = paths;
        this.fence = new ZnodeChange.Check(paths.epoch(), epoch);
        this.epoch = epoch;
    }

    /**
     * Deletes what came before {@code present}: batches and snapshots, but none that this leader has begun since. If a
     * deletion runs already, afterwards.
     */
    void keepOnly(SnapshotName present) {
        wanted = Optional.of(present);
        if (!runs) {
            next();
        }
    }

    private void next() {
        wanted.ifPresent(present -> {
            wanted = Optional.empty();
            runs = true;
            batchesBefore(present).thenCompose(done -> snapshotsBefore(present)).whenComplete((done, failure) -> {
                runs = false;
                if (failure != null) {
                    LOG.debug("old facts: not deleted yet: {}", failure.toString());
                }
                next();
            });
        });
    }

    private CompletionStage<Void> batchesBefore(SnapshotName present) {
        return session.children(paths.facts())
                .thenCompose(names -> delete(names.stream()
                        .flatMapToLong(name -> ZnodePaths.batchNumber(name).stream())
                        .filter(number -> number < present.first())
                        .sorted()
                        .mapToObj(paths::batch)
                        .toList()));
    }

    private CompletionStage<Void> snapshotsBefore(SnapshotName present) {
        return session.children(paths.snapshots()).thenCompose(names -> {
            CompletionStage<Void> all = CompletableFuture.completedStage(null);
            for (String name : names) {
                if (!name.equals(present.name()) && !SnapshotName.isOf(epoch, name, present)) {
                    all = all.thenCompose(before -> snapshot(paths.snapshots(name)));
                }
            }
            return all;
        });
    }

    private CompletionStage<Void> snapshot(String path) {
        return session.children(path)
                .thenCompose(parts ->
                        delete(parts.stream().map(part -> path + "/" + part).toList()))
                .thenCompose(done -> delete(List.of(path)));
    }

    /** Deletes nodes, of which some may be gone already. */
    CompletionStage<Void> delete(List<String> nodes) {
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (int from = 0; from < nodes.size(); from += DELETIONS_MAX) {
            List<String> some = nodes.subList(from, Math.min(nodes.size(), from + DELETIONS_MAX));
            all = all.thenCompose(before -> deleteSome(some));
        }
        return all;
    }

    private CompletionStage<Void> deleteSome(List<String> nodes) {
        List<ZnodeChange> changes = new ArrayList<>(List.of(fence));
        nodes.forEach(node -> changes.add(new ZnodeChange.Delete(node)));
        return session.change(changes)
                .handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<Void>completedStage(null);
                    }
                    if (ZnodeRefused.of(failure) != ZnodeRefused.Why.MISSING) {
                        return CompletableFuture.<Void>failedStage(failure);
                    }
                    return nodes.size() == 1 ? CompletableFuture.<Void>completedStage(null) : oneByOne(nodes);
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Void> oneByOne(List<String> nodes) {
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (String node : nodes) {
            all = all.thenCompose(before -> deleteSome(List.of(node)));
        }
        return all;
    }
}
