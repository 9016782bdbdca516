package dev.hearth.hazookeeper.internal;

import dev.hearth.api.HearthException;
import dev.hearth.hazookeeper.internal.ZnodePaths.SnapshotName;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reading of all facts of the leaders before: the snapshot, then the batches after it, in order. Keeps a bounded number of
 * requests under way. Used once, on the loop of a candidacy, by a leader that has written its epoch.
 */
final class FactReplay {
    private static final int READS_MAX = 32; // at a time, 16 MiB

    private final PatientSession session;
    private final ZnodePaths paths;
    private final String place;
    private final FactPieces.Reader fromSnapshot;
    private final FactPieces.Reader fromBatches;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final List<String> nodes = new ArrayList<>(); // to read, in order
    private final Deque<CompletionStage<ZnodeSession.Node>> underWay = new ArrayDeque<>();
    private SnapshotName snapshot = SnapshotName.read(ZnodePaths.NO_SNAPSHOT);
    private int asked;
    private int taken;
    private long bytes;

    FactReplay(PatientSession session, ZnodePaths paths, String place, Consumer<Bytes> facts) {
        this.session = session;
        this.paths = paths;
        this.place = place;
        this.fromSnapshot = new FactPieces.Reader(facts);
        this.fromBatches = new FactPieces.Reader(facts);
    }

    /**
     * Where the facts end: the number of the next batch, the present snapshot, the size of what was read, and the
     * incomplete batches at the end, whose facts were never acknowledged.
     */
    record End(long nextBatch, SnapshotName snapshot, int batches, long bytes, List<String> incomplete) {}

    /** Reads all. Fails with {@code FILE_DAMAGED} if a node is missing or damaged. */
    CompletionStage<End> read() {
        then(session.read(paths.snapshot(), false), found -> {
            try {
                snapshot = SnapshotName.read(found.content());
            } catch (IllegalArgumentException other) {
                throw damaged(paths.snapshot(), "not the name of a snapshot");
            }
            return session.children(paths.facts());
        });
        return end;
    }

    private void then(
            CompletionStage<ZnodeSession.Node> first, Function<ZnodeSession.Node, CompletionStage<List<String>>> next) {
        first.thenCompose(next).whenComplete((names, failure) -> {
            if (failure == null) {
                begin(names);
            } else {
                end.completeExceptionally(failure);
            }
        });
    }

    private void begin(List<String> names) {
        for (int part = 0; part < snapshot.parts(); part++) {
            nodes.add(paths.part(snapshot.name(), part));
        }
        long expected = snapshot.first();
        for (long number : names.stream()
                .flatMapToLong(name -> ZnodePaths.batchNumber(name).stream())
                .filter(number -> number >= snapshot.first())
                .sorted()
                .toArray()) {
            if (number != expected) {
                end.completeExceptionally(damaged(paths.batch(expected), "missing"));
                return;
            }
            nodes.add(paths.batch(number));
            expected++;
        }
        goOn();
    }

    private void goOn() {
        while (asked < nodes.size() && underWay.size() < READS_MAX) {
            underWay.add(session.read(nodes.get(asked++), false));
        }
        if (underWay.isEmpty()) {
            finish();
            return;
        }
        underWay.remove().whenComplete((node, failure) -> {
            try {
                read(node, failure);
            } catch (RuntimeException unreadable) { // by the receiver of the facts
                end.completeExceptionally(
                        Failures.asHearth(unreadable, ErrorCode.INTERNAL, nodes.get(taken) + " in " + place));
            }
        });
    }

    private void read(ZnodeSession.Node node, @Nullable Throwable failure) {
        HearthException why = failure == null ? take(node) : null;
        if (why != null) {
            end.completeExceptionally(why);
        } else if (failure == null) {
            taken++;
            goOn();
        } else {
            end.completeExceptionally(
                    ZnodeRefused.of(failure) == ZnodeRefused.Why.MISSING
                            ? damaged(nodes.get(taken), "missing")
                            : failure);
        }
    }

    /** Takes the next node; returns why that is not possible. */
    private @Nullable HearthException take(ZnodeSession.Node node) {
        boolean isPart = taken < snapshot.parts();
        bytes += node.content().length;
        boolean whole = (isPart ? fromSnapshot : fromBatches).read(node.content())
                && (taken + 1 != snapshot.parts() || fromSnapshot.incomplete() == 0);
        return whole ? null : damaged(nodes.get(taken), "damaged");
    }

    private void finish() {
        int whole = nodes.size() - fromBatches.incomplete();
        List<String> incomplete = List.copyOf(nodes.subList(whole, nodes.size()));
        int batches = whole - snapshot.parts();
        end.complete(new End(snapshot.first() + batches, snapshot, batches, bytes, incomplete));
    }

    private HearthException damaged(String node, String how) {
        return ErrorCode.FILE_DAMAGED.failure(node + " in " + place + ": " + how
                + " (expected: what a master has written); restore the nodes below " + paths.directory()
                + ", or delete them to begin anew without what was submitted");
    }
}
