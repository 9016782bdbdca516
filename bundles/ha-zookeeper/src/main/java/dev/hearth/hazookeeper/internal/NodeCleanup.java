package dev.hearth.hazookeeper.internal;

import dev.hearth.hazookeeper.internal.NodePaths.SnapshotName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletion of nodes that a snapshot has replaced, beside the writing of facts. What it leaves, because the session ends, is
 * deleted after the next snapshot. Owned by the loop of a candidacy.
 */
final class NodeCleanup {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final int DELETIONS_MAX = 128; // in one transaction

    private final PatientSession session;
    private final NodePaths paths;
    private final NodeChange fence;
    private boolean runs;

    NodeCleanup(PatientSession session, NodePaths paths, NodeChange fence) {
        this.session = session;
        this.paths = paths;
        this.fence = fence;
    }

    /** Deletes all but {@code present} and the batches after it. Does nothing if it runs already. */
    void keepOnly(SnapshotName present) {
        if (runs) {
            return;
        }
        runs = true;
        batchesBefore(present).thenCompose(done -> snapshotsExcept(present)).whenComplete((done, failure) -> {
            runs = false;
            if (failure != null) {
                LOG.debug("old facts: not deleted yet: {}", failure.toString());
            }
        });
    }

    private CompletionStage<Void> batchesBefore(SnapshotName present) {
        return session.children(paths.facts())
                .thenCompose(names -> delete(names.stream()
                        .flatMapToLong(name -> NodePaths.batchNumber(name).stream())
                        .filter(number -> number < present.first())
                        .sorted()
                        .mapToObj(paths::batch)
                        .toList()));
    }

    private CompletionStage<Void> snapshotsExcept(SnapshotName present) {
        return session.children(paths.snapshots()).thenCompose(names -> {
            CompletionStage<Void> all = CompletableFuture.completedStage(null);
            for (String name : names) {
                if (!name.equals(present.name())) {
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
        List<NodeChange> changes = new ArrayList<>(List.of(fence));
        nodes.forEach(node -> changes.add(new NodeChange.Delete(node)));
        return session.change(changes)
                .handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<Void>completedStage(null);
                    }
                    if (NodeRefused.of(failure) != NodeRefused.Why.MISSING) {
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
