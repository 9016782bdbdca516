package dev.hearth.standalone.internal.log;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log in files, written by the thread that calls {@link #write}. What is appended while a frame is forced to disk goes into
 * the next frame. The queue is guarded by the lock of this object; all else belongs to the writing thread.
 * <p>Invariant: an append completes only after its bytes, or a snapshot that was taken after it, were forced to disk
 * without a failure.
 */
final class FileFactLog implements FactLog {
    /** Facts that may wait before the leader is to take on nothing new. */
    static final int FACTS_WAITING_MAX = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final long FRAME_BYTES_MAX = 1 << 20; // of several appends; one append is never divided

    private final FactDisk disk;
    private final Bounds bounds;
    private final Deque<Item> queue = new ArrayDeque<>();
    private int factsWaiting;
    private boolean closed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile String failure = ""; // why facts cannot be written at present
    private volatile boolean full; // too many facts wait
    private volatile boolean wantsSnapshot;

    private long number; // of the segment
    private FactDisk.@Nullable Appender segment; // null after a failed fsync, until a snapshot replaces all before
    private long size;
    private long sinceSnapshot;
    private long snapshotBytes;
    private final List<Item> unproven = new ArrayList<>(); // appends whose fsync has failed

    /** Sizes of segments in bytes, and the pause after a failed write. */
    record Bounds(long segmentBytes, Duration retry) {
        static final Bounds DEFAULTS = new Bounds(8 << 20, Duration.ofSeconds(1));
    }

    FileFactLog(FactDisk disk, FactFiles.End end, Bounds bounds) throws IOException {
        this.disk = disk;
        this.bounds = bounds;
        this.number = end.segment();
        this.size = end.wholeBytes();
        this.sinceSnapshot = size;
        this.segment = disk.open(FactFiles.segment(number), size);
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

    private synchronized CompletionStage<Void> add(Item item) {
        if (closed) {
            return CompletableFuture.failedStage(ended());
        }
        queue.add(item);
        factsWaiting += item.count();
        full = factsWaiting > FACTS_WAITING_MAX;
        notifyAll();
        return item.done();
    }

    private RuntimeException ended() {
        return ErrorCode.CLUSTER_LOST.failure("log in " + disk.place() + ": closed (expected: the log of a leader)");
    }

    @Override
    public Optional<String> hindrance() {
        String why = failure;
        return full && why.isEmpty()
                ? Optional.of("more than " + FACTS_WAITING_MAX + " facts wait to be written to " + disk.place())
                : Optional.of(why).filter(text -> !text.isEmpty());
    }

    @Override
    public boolean wantsSnapshot() {
        return wantsSnapshot;
    }

    /** Ends {@link #write} once what waits was tried to write. */
    synchronized void close() {
        closed = true;
        notifyAll();
        closing.countDown();
    }

    /** Writes what is appended, until the log is closed. */
    void write() throws InterruptedException {
        try {
            for (List<Item> group = take(); !group.isEmpty(); group = take()) {
                if (group.get(0).snapshot()) {
                    replaceAll(group.get(0));
                } else if (segment == null) {
                    unproven.addAll(group);
                } else {
                    write(group, segment);
                }
            }
        } finally {
            end();
        }
    }

    private synchronized List<Item> take() throws InterruptedException {
        while (queue.isEmpty() && !closed) {
            wait();
        }
        List<Item> group = new ArrayList<>();
        long bytes = 0;
        while (!queue.isEmpty() && bytes < FRAME_BYTES_MAX) {
            Item next = queue.element();
            if (next.snapshot() && !group.isEmpty()) {
                break;
            }
            group.add(queue.remove());
            factsWaiting -= next.count();
            if (next.snapshot()) {
                break;
            }
            for (Bytes fact : next.facts()) {
                bytes += fact.size();
            }
        }
        full = factsWaiting > FACTS_WAITING_MAX;
        return group;
    }

    private void write(List<Item> group, FactDisk.Appender file) throws InterruptedException {
        List<Bytes> facts = new ArrayList<>();
        group.forEach(item -> item.facts().forEach(facts::add));
        var frame = FactFrame.of(facts);
        while (true) {
            try {
                file.write(frame.duplicate());
                break;
            } catch (IOException refused) {
                hinder(refused);
                if (!cut(file) || !pause()) {
                    unproven.addAll(group);
                    return;
                }
            }
        }
        try {
            file.force();
        } catch (IOException unknown) {
            hinder(unknown);
            giveUpSegment();
            unproven.addAll(group);
            return;
        }
        clear();
        size += frame.limit();
        sinceSnapshot += frame.limit();
        wantsSnapshot |= sinceSnapshot >= bounds.segmentBytes() + 2 * snapshotBytes;
        group.forEach(item -> item.done().complete(null));
        if (size >= bounds.segmentBytes()) {
            beginNextSegment(file);
        }
    }

    /** Removes a part of a frame that could not be written. */
    private boolean cut(FactDisk.Appender file) {
        try {
            file.truncate(size);
            return true;
        } catch (IOException unknown) {
            hinder(unknown);
            giveUpSegment();
            return false;
        }
    }

    private void hinder(IOException why) {
        boolean isNew = failure.isEmpty();
        failure = "the log of facts in " + disk.place() + " cannot be written: " + why.getMessage()
                + " (expected: room on a disk that works); the master writes it again when it can";
        if (isNew) {
            LOG.error("{}; it takes no submissions and starts no drivers meanwhile", failure);
        }
    }

    private void clear() {
        if (!failure.isEmpty()) {
            failure = "";
            LOG.warn("the log of facts in {} is written again", disk.place());
        }
    }

    /** A failed fsync may have dropped bytes for good, so nothing more is written to the segment. */
    private void giveUpSegment() {
        closeQuietly(segment);
        segment = null;
        wantsSnapshot = true;
    }

    private void closeQuietly(FactDisk.@Nullable Appender file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException ignored) {
            LOG.warn("segment {} in {}: not closed: {}", number, disk.place(), ignored.getMessage());
        }
    }

    private void beginNextSegment(FactDisk.Appender file) {
        try {
            FactDisk.Appender next = FactFiles.begin(disk, number + 1);
            if (!seal(file)) {
                next.close();
                return;
            }
            closeQuietly(file);
            segment = next;
            number++;
            size = FactFrame.MAGIC.length;
        } catch (IOException refused) {
            LOG.warn("segment {} in {}: not begun yet: {}", number + 1, disk.place(), refused.getMessage());
        }
    }

    /** Ends a segment that has a successor. Returns whether it has no part of an end. */
    private boolean seal(FactDisk.Appender file) {
        try {
            file.write(FactFrame.of(List.of()));
            file.force();
            return true;
        } catch (IOException unsealed) { // the successor says the same as an end
            LOG.warn("segment {} in {}: not ended: {}", number, disk.place(), unsealed.getMessage());
            return cut(file);
        }
    }

    private void replaceAll(Item item) throws InterruptedException {
        while (true) {
            try {
                snapshotOf(item.facts());
                item.done().complete(null);
                unproven.forEach(earlier -> earlier.done().complete(null));
                unproven.clear();
                clear();
                return;
            } catch (IOException refused) {
                if (segment != null) { // the log goes on without the snapshot
                    LOG.warn("snapshot in {}: not written: {}", disk.place(), refused.getMessage());
                    sinceSnapshot = 0;
                    item.done()
                            .completeExceptionally(ErrorCode.DISK_FAILED.failure(
                                    "snapshot in " + disk.place() + ": " + refused.getMessage(), refused));
                    return;
                }
                hinder(refused);
                if (!pause()) {
                    unproven.add(item);
                    return;
                }
            }
        }
    }

    private void snapshotOf(Iterable<Bytes> facts) throws IOException {
        long next = number + 1;
        FactDisk.Appender begun = FactFiles.begin(disk, next);
        boolean done = false;
        String name = FactFiles.snapshot(next);
        long[] written = {0};
        try {
            try (FactDisk.Appender file = disk.create(FactFiles.unfinished(name))) {
                file.write(ByteBuffer.wrap(FactFrame.MAGIC));
                FactFrame.grouped(facts, (int) FRAME_BYTES_MAX, frame -> {
                    written[0] += frame.limit();
                    file.write(frame);
                });
                file.force();
            }
            publish(name);
            done = true;
        } finally {
            if (!done) {
                closeQuietly(begun);
            }
        }
        closeQuietly(segment);
        segment = begun;
        number = next;
        size = FactFrame.MAGIC.length;
        sinceSnapshot = 0;
        wantsSnapshot = false;
        snapshotBytes = written[0];
        try {
            FactFiles.deleteBefore(disk, next);
        } catch (IOException later) { // the next start deletes them
            LOG.warn("segments before {} in {}: not deleted: {}", next, disk.place(), later.getMessage());
        }
    }

    /** Makes a snapshot the one that counts. If it is unknown whether it does, nothing may be added to what it replaces. */
    private void publish(String name) throws IOException {
        try {
            disk.rename(FactFiles.unfinished(name), name);
            disk.force();
        } catch (IOException unknown) {
            giveUpSegment();
            throw unknown;
        }
    }

    /** Waits before a retry. Returns whether there is one, because the log was not closed. */
    private boolean pause() throws InterruptedException {
        return !closing.await(bounds.retry().toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void end() {
        closed = true;
        closeQuietly(segment);
        segment = null;
        unproven.addAll(queue);
        queue.clear();
        unproven.forEach(item -> item.done().completeExceptionally(ended()));
        unproven.clear();
    }
}
