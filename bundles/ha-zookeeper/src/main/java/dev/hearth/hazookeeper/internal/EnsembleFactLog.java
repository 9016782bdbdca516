package dev.hearth.hazookeeper.internal;

import dev.hearth.hazookeeper.internal.ZnodePaths.SnapshotName;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of one leader in an ensemble. Appends that wait while one is written share the next node. Owned by the loop of the
 * candidacy; other threads read its volatile fields.
 * <p>Invariant: each write checks the version of the node {@code epoch}, so none succeeds after another leader has begun.
 */
final class EnsembleFactLog implements FactLog {
    /** Facts that may wait before the leader is to take on nothing new. */
    static final int FACTS_WAITING_MAX = 64 * 1024;

    /** Maximum size of a submission: its facts and their requests stay far below the 1 MiB that a server accepts. */
    static final int SUBMISSION_BYTES_MAX = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final PatientSession session;
    private final EventLoop loop;
    private final ZnodePaths paths;
    private final String place;
    private final Bounds bounds;
    private final ZnodeChange fence;
    private final int epoch;
    private final ZnodeCleanup cleanup;
    private final Consumer<String> onDeposed;
    private final Deque<Item> queue = new ArrayDeque<>();
    private final List<Item> underWay = new ArrayList<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final AtomicInteger factsWaiting = new AtomicInteger();
    private long next; // number of the next batch
    private int batches; // since the snapshot
    private long bytes; // since the snapshot
    private long snapshotBytes;
    private int snapshots; // that this leader has begun
    private String closed = ""; // why nothing is taken any more
    private volatile boolean disconnected;
    private volatile String refusal = ""; // of the last write
    private volatile boolean wantsSnapshot;

    /** Maximum size of a node, and when a snapshot is wanted: after so many batches, or so many bytes. */
    record Bounds(int nodeBytes, int batches, long bytes) {
        static final Bounds DEFAULTS = new Bounds(512 * 1024, 2_000, 8L << 20);
    }

    EnsembleFactLog(
            PatientSession session,
            EventLoop loop,
            ZnodePaths paths,
            String place,
            Bounds bounds,
            int epoch,
            FactReplay.End before,
            Consumer<String> onDeposed) {
        this.session = session;
        this.loop = loop;
        this.paths = paths;
        this.place = place;
        this.bounds = bounds;
        this.epoch = epoch;
        this.fence = new ZnodeChange.Check(paths.epoch(), epoch);
        this.cleanup = new ZnodeCleanup(session, paths, epoch);
        this.onDeposed = onDeposed;
        this.next = before.nextBatch();
        this.batches = before.batches();
        this.bytes = before.bytes();
        cleanup.keepOnly(before.snapshot());
    }

    /** Facts to append, or, if {@code snapshot} is set, to replace all others with. */
    private record Item(Iterable<Bytes> facts, int count, boolean snapshot, CompletableFuture<Void> done) {}

    @Override
    public CompletionStage<Void> append(List<Bytes> facts) {
        return add(new Item(facts, facts.size(), false, new CompletableFuture<>()));
    }

    @Override
    public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
        wantsSnapshot = false;
        return add(new Item(facts, 0, true, new CompletableFuture<>()));
    }

    private CompletionStage<Void> add(Item item) {
        factsWaiting.addAndGet(item.count());
        loop.execute(new Addition(item));
        return item.done();
    }

    /** Puts an item into the queue. */
    private final class Addition implements EventLoop.Droppable {
        private final Item item;

        Addition(Item item) {
            this.item = item;
        }

        @Override
        public void run() {
            if (closed.isEmpty()) {
                queue.add(item);
                write();
            } else {
                fail(item, closed);
            }
        }

        @Override
        public void dropped() {
            fail(item, "this master has stopped");
        }
    }

    @Override
    public Optional<String> hindrance() {
        if (disconnected) {
            return Optional.of("ZooKeeper at " + place
                    + " does not answer (expected: a connection); this master takes on nothing new until it does");
        }
        String why = refusal;
        return factsWaiting.get() > FACTS_WAITING_MAX && why.isEmpty()
                ? Optional.of("more than " + FACTS_WAITING_MAX + " facts wait to be written to " + place)
                : Optional.of(why).filter(text -> !text.isEmpty());
    }

    @Override
    public boolean isUncertain() {
        return disconnected;
    }

    @Override
    public int submissionBytesMax() {
        return SUBMISSION_BYTES_MAX;
    }

    @Override
    public boolean wantsSnapshot() {
        return wantsSnapshot;
    }

    void disconnected() {
        disconnected = true;
    }

    void connected() {
        disconnected = false;
    }

    /** Takes nothing more. Completes when what was appended before is written. */
    CompletionStage<Void> close() {
        closed = "this master stops";
        write();
        return drained;
    }

    /** Fails all that is not acknowledged, because this process leads no more. */
    void end(String why) {
        closed = why;
        underWay.forEach(item -> fail(item, why));
        underWay.clear();
        queue.forEach(item -> fail(item, why));
        queue.clear();
        drained.complete(null);
    }

    private void fail(Item item, String why) {
        factsWaiting.addAndGet(-item.count());
        item.done()
                .completeExceptionally(ErrorCode.CLUSTER_LOST.failure(
                        "facts in " + place + ": " + why + " (expected: the log of a leader)"));
    }

    private void write() {
        if (!underWay.isEmpty()) {
            return;
        }
        if (queue.isEmpty()) {
            if (!closed.isEmpty()) {
                drained.complete(null);
            }
            return;
        }
        if (queue.element().snapshot()) {
            underWay.add(queue.remove());
            beginSnapshot(underWay.get(0));
            return;
        }
        List<Bytes> group = new ArrayList<>();
        long size = 0;
        while (!queue.isEmpty() && !queue.element().snapshot() && size < bounds.nodeBytes() / 2) {
            Item item = queue.remove();
            underWay.add(item);
            for (Bytes fact : item.facts()) {
                group.add(fact);
                size += fact.size();
            }
        }
        append(FactPieces.of(group, bounds.nodeBytes()), 0);
    }

    private void append(List<byte[]> pieces, int index) {
        if (index == pieces.size()) {
            done();
            return;
        }
        byte[] piece = pieces.get(index);
        create(paths.batch(next), piece, () -> {
            next++;
            batches++;
            bytes += piece.length;
            append(pieces, index + 1);
        });
    }

    /** Completes what is under way, and writes what waits. */
    private void done() {
        List<Item> written = List.copyOf(underWay);
        underWay.clear();
        wantsSnapshot = batches >= bounds.batches() || bytes >= Math.max(bounds.bytes(), 2 * snapshotBytes);
        written.forEach(item -> {
            factsWaiting.addAndGet(-item.count());
            item.done().complete(null);
        });
        write();
    }

    /** Creates a node, which exists already only if this leader has created it, and its answer was lost. */
    private void create(String path, byte[] content, Runnable then) {
        change(new ZnodeChange.Create(path, content, false), then);
    }

    /** Makes a change as the leader, again and again until it is made, and calls {@code then}. */
    private void change(ZnodeChange change, Runnable then) {
        session.change(List.of(fence, change)).whenComplete((made, failure) -> {
            if (underWay.isEmpty()) {
                return; // the log has ended meanwhile
            }
            ZnodeRefused.Why why = failure == null ? ZnodeRefused.Why.EXISTS : ZnodeRefused.of(failure);
            switch (why) {
                case EXISTS -> {
                    accepted();
                    then.run();
                }
                case VERSION, MISSING -> onDeposed.accept("another master leads by " + place);
                case EXPIRED, DISCONNECTED -> LOG.debug("{} waits for the end of the session", change.path());
                case FORBIDDEN, OTHER -> {
                    refused(String.valueOf(failure));
                    loop.schedule(RETRY, () -> change(change, then));
                }
            }
        });
    }

    private void refused(String why) {
        if (refusal.isEmpty()) {
            LOG.error("facts cannot be written to {}: {}; the master takes on nothing new meanwhile", place, why);
        }
        refusal = "facts cannot be written to " + place + ": " + why
                + " (expected: servers that take them); the master writes them again when it can";
    }

    private void accepted() {
        if (!refusal.isEmpty()) {
            refusal = "";
            LOG.warn("facts are written to {} again", place);
        }
    }

    private void beginSnapshot(Item item) {
        String name = SnapshotName.of(epoch, ++snapshots);
        create(
                paths.snapshots(name),
                new byte[0],
                () -> new Parts(name, item.facts().iterator()).writeNext());
    }

    /** Parts of a snapshot that is being written. */
    private final class Parts {
        private final String name;
        private final Iterator<Bytes> facts;
        private final Deque<byte[]> pieces = new ArrayDeque<>();
        private int written;
        private long size;

        Parts(String name, Iterator<Bytes> facts) {
            this.name = name;
            this.facts = facts;
        }

        void writeNext() {
            if (pieces.isEmpty() && facts.hasNext()) {
                List<Bytes> group = new ArrayList<>();
                long groupBytes = 0;
                while (facts.hasNext() && groupBytes < bounds.nodeBytes() / 2) {
                    Bytes fact = facts.next();
                    group.add(fact);
                    groupBytes += fact.size();
                }
                pieces.addAll(FactPieces.of(group, bounds.nodeBytes()));
            }
            if (pieces.isEmpty()) {
                publish();
                return;
            }
            byte[] piece = pieces.remove();
            create(paths.part(name, written), piece, () -> {
                written++;
                size += piece.length;
                writeNext();
            });
        }

        private void publish() {
            SnapshotName published = new SnapshotName(name, written, next);
            change(new ZnodeChange.Write(paths.snapshot(), published.bytes(), -1), () -> {
                batches = 0;
                bytes = 0;
                snapshotBytes = size;
                cleanup.keepOnly(published);
                done();
            });
        }
    }
}
