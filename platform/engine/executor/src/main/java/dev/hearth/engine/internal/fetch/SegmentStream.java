package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentStreamNames;
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
 * Stream of segments for one reducer from one executor, in the order of the map tasks. Segments are added before the
 * start. The stream then runs until all bytes have arrived or it fails. Closing the stream cancels it in any state.
 * Owned by the reading task's thread.
 */
final class SegmentStream implements AutoCloseable {
    /** Maximum size in bytes of a stream with several segments. A segment larger than this has a stream of its own. */
    static final int STREAM_BYTES = 1 << 20;

    private final BlockServerAddress holder;
    private final int shuffle;
    private final int reducer;
    private final List<SegmentLocation> parts = new ArrayList<>();
    private long bytes;
    private int unread;
    private boolean onDisk;
    private @Nullable FetchBuffer arrival;
    private @Nullable CompletableFuture<StreamInfo> done;

    SegmentStream(BlockServerAddress holder, int shuffle, int reducer) {
        this.holder = holder;
        this.shuffle = shuffle;
        this.reducer = reducer;
    }

    void add(SegmentLocation part) {
        parts.add(part);
        bytes += part.place().bytes();
        unread++;
    }

    /**
     * Whether the segment {@code part} may be added to the stream, which carries at most {@code partsMax} segments and
     * a limited number of bytes.
     */
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

    /** Records that the task has read one more segment of the stream. Returns true if it was the last one. */
    boolean read() {
        return --unread == 0;
    }

    /** Marks the stream as buffered on disk, so that no memory is reserved for its bytes. */
    void toDisk() {
        onDisk = true;
    }

    boolean isOnDisk() {
        return onDisk;
    }

    /** Starts to fetch all segments of the stream into the buffer {@code to}. No segment can be added afterwards. */
    void start(FetchClient holders, FetchBuffer to) {
        arrival = to;
        String name = SegmentProtocol.SHUFFLES + "/" + SegmentStreamNames.name(shuffle, reducer, parts);
        String tag = SegmentStreamNames.tag(
                parts.stream().map(SegmentLocation::place).toList());
        done = holders.fetch(holder, name, new StreamRange(0, OptionalLong.of(bytes), Optional.of(tag)), to::sink);
    }

    boolean isUnderWay() {
        return done != null && !done.isDone();
    }

    /**
     * Returns the result of the transfer, which completes when all bytes of the stream have arrived. Call it only after
     * the start.
     */
    CompletionStage<StreamInfo> done() {
        CompletableFuture<StreamInfo> started = done;
        if (started == null) {
            throw new IllegalStateException("shuffle " + shuffle + ": stream not started (expected: started)");
        }
        return started;
    }

    /**
     * Returns the bytes of the segment {@code wanted}, which this stream contains. Call it only once the stream has
     * arrived completely.
     */
    SegmentSource source(SegmentLocation wanted) {
        long from = 0;
        for (SegmentLocation part : parts) {
            if (part.map() == wanted.map() && arrival != null) {
                return arrival.source(part.place(), from);
            }
            from += part.place().bytes();
        }
        throw new IllegalStateException(
                "map task " + wanted.map() + ": not in this stream (expected: one of its map tasks)");
    }

    /**
     * Returns the failure by which this executor could not buffer the fetched bytes, for example on a full disk. Empty
     * if the stream did not end in that way.
     */
    Optional<RuntimeException> failureHere() {
        return arrival == null ? Optional.empty() : arrival.failure();
    }

    @Override
    public void close() {
        if (done != null) {
            done.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure(
                    "shuffle " + shuffle + " for partition " + reducer + ": cancelled, its reader has ended"));
        }
        if (arrival != null) {
            arrival.close();
        }
    }
}
