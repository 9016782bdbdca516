package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentLocation;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One stream on its way here: what some map tasks of one holder have for one reader, in their order. Parts are added until it is
 * started, then it is under way until all bytes are here or it has failed; closing it ends it wherever it is. Owned by the reading
 * task's thread.
 */
final class SegmentStream implements AutoCloseable {
    /** What parts in one stream have at most; a larger one has a stream of its own. */
    static final int STREAM_BYTES = 1 << 20;

    private final BlockServerAddress holder;
    private final int shuffle;
    private final int reader;
    private final List<SegmentLocation> parts = new ArrayList<>();
    private long bytes;
    private int unread;
    private boolean onDisk;
    private @Nullable FetchBuffer arrival;
    private @Nullable CompletableFuture<StreamInfo> done;

    SegmentStream(BlockServerAddress holder, int shuffle, int reader) {
        this.holder = holder;
        this.shuffle = shuffle;
        this.reader = reader;
    }

    void add(SegmentLocation part) {
        parts.add(part);
        bytes += part.place().bytes();
        unread++;
    }

    /** Whether one more part may be added. */
    boolean takes(SegmentLocation part, int partsMax) {
        return bytes + part.place().bytes() <= STREAM_BYTES
                && parts.size() < partsMax
                && SegmentStreamNames.takesMore(parts, part.map());
    }

    BlockServerAddress holder() {
        return holder;
    }

    int parts() {
        return parts.size();
    }

    long bytes() {
        return bytes;
    }

    /** One of its parts has been read; true when that was the last one. */
    boolean read() {
        return --unread == 0;
    }

    /** Its bytes take no memory here. */
    void toDisk() {
        onDisk = true;
    }

    boolean isOnDisk() {
        return onDisk;
    }

    /** Has all of it sent to {@code to}. */
    void start(FetchClient holders, FetchBuffer to) {
        arrival = to;
        String name = BlockProtocol.SHUFFLES + "/" + SegmentStreamNames.name(shuffle, reader, parts);
        String tag = SegmentStreamNames.tag(
                parts.stream().map(SegmentLocation::place).toList());
        done = holders.fetch(holder, name, new StreamRange(0, OptionalLong.of(bytes), Optional.of(tag)), to::sink);
    }

    boolean isUnderWay() {
        return done != null && !done.isDone();
    }

    /** Completes when all of it is here. */
    CompletionStage<StreamInfo> done() {
        CompletableFuture<StreamInfo> started = done;
        if (started == null) {
            throw new IllegalStateException("shuffle " + shuffle + ": not asked for yet (expected: under way)");
        }
        return started;
    }

    /** The bytes of one of its parts, once all are here. */
    SegmentSource source(SegmentLocation wanted) {
        long from = 0;
        for (SegmentLocation part : parts) {
            if (part.map() == wanted.map() && arrival != null) {
                return arrival.source(part.place(), from);
            }
            from += part.place().bytes();
        }
        throw new IllegalStateException("map task " + wanted.map() + ": not in this stream (expected: one of its)");
    }

    /** How putting the bytes here failed, if that is why it failed. */
    Optional<RuntimeException> failureHere() {
        return arrival == null ? Optional.empty() : arrival.failure();
    }

    @Override
    public void close() {
        if (done != null) {
            done.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure(
                    "shuffle " + shuffle + " for partition " + reader + ": not wanted any more"));
        }
        if (arrival != null) {
            arrival.close();
        }
    }
}
