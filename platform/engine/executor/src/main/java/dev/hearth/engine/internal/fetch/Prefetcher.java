package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches segments for one reading task. Small segments of one executor share a stream; a large one has a separate
 * stream. Segments that do not fit in memory are buffered in a local file. Bounded by {@link FetchSettings}, but the
 * next segment to read is always fetched. Invariants: the memory reserved from the task equals the bytes of all streams
 * in memory that are not fully read; every open stream except the current one contains an unread segment. Owned by the
 * task's thread.
 */
final class Prefetcher implements Spillable, AutoCloseable {
    /** Maximum number of segments, per reading task, that are buffered on disk and not yet read. */
    private static final int ON_DISK_MAX = 1;

    private static final int REFILLS = 4; // requests more segments when a quarter of the memory bound is free

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reducer;
    private final FetchAwait waits;
    private final SegmentIndexClient answers;
    // Prefetched segments that are not yet read, in the order of the map tasks.
    private final ArrayDeque<Prefetched> ahead = new ArrayDeque<>();
    private final List<SegmentStream> open = new ArrayList<>(); // streams whose segments are not all read yet
    private final List<SegmentStream> extra = new ArrayList<>(); // separate fetches of the segment that is being read
    private @Nullable SegmentStream current; // stream of the segment that is being read
    private long bytesMax; // memory bound, halved each time the task needs the memory for other purposes
    private int requested; // segments of map tasks below this number have been requested
    private long booked;
    private int onDisk;
    private boolean refused; // whether memory was refused in the last round of requests
    private int restMax = Integer.MAX_VALUE; // requests more segments when at most this many are prefetched and unread

    Prefetcher(
            RemoteShuffleReader shuffles,
            MapOutputTable table,
            int reducer,
            FetchAwait waits,
            SegmentIndexClient answers) {
        this.shuffles = shuffles;
        this.table = table;
        this.reducer = reducer;
        this.waits = waits;
        this.answers = answers;
        this.bytesMax = shuffles.bytesInFlight();
    }

    private record Prefetched(int map, SegmentStream fetch) {}

    /**
     * One round of requests. Keeps, per executor, the stream that still accepts segments and the number of segments
     * already requested.
     */
    private final class Round {
        final Map<BlockServerAddress, SegmentStream> gathering = new LinkedHashMap<>();
        final Map<ExecutorId, Integer> partsUnderWay = new LinkedHashMap<>();
        int streams;

        Round() {
            for (SegmentStream fetch : open) {
                if (fetch.isUnderWay()) {
                    streams++;
                    partsUnderWay.merge(fetch.holder().executor(), fetch.parts(), Integer::sum);
                }
            }
        }

        /**
         * Adds {@code part}, the next segment of the executor {@code holder}, to a stream of this round, and begins a
         * new stream if necessary. Returns false if that would exceed a limit on streams, segments or buffered bytes.
         */
        boolean add(BlockServerAddress holder, SegmentLocation part) {
            FetchSettings settings = shuffles.settings();
            boolean isNext = ahead.isEmpty(); // the next segment to read is fetched even beyond the bounds
            if (partsUnderWay.getOrDefault(holder.executor(), 0) >= settings.requestsPerAddress() && !isNext) {
                return false;
            }
            SegmentStream fetch = gathering.get(holder);
            // A stream takes half of the allowed segments, so that a second stream can run while the first is read.
            boolean fits = fetch != null && fetch.takes(part, (settings.requestsPerAddress() + 1) / 2);
            if (!fits && streams >= settings.requestsInFlight() && !isNext) {
                return false;
            }
            long bytes = part.place().bytes();
            if (bytes > settings.bytesInMemory() || !book(bytes, isNext)) {
                return (isNext || (onDisk < ON_DISK_MAX && !refused)) && toDisk(holder, part);
            }
            if (fetch == null || !fits) {
                send(holder);
                fetch = new SegmentStream(holder, table.shuffle(), reducer);
                gathering.put(holder, fetch);
                begun(fetch);
            }
            fetch.add(part);
            added(part, fetch);
            return true;
        }

        private boolean toDisk(BlockServerAddress holder, SegmentLocation part) {
            SegmentStream fetch = new SegmentStream(holder, table.shuffle(), reducer);
            fetch.add(part);
            startOnDisk(fetch, part);
            begun(fetch);
            added(part, fetch);
            return true;
        }

        private void begun(SegmentStream fetch) {
            open.add(fetch);
            streams++;
        }

        private void added(SegmentLocation part, SegmentStream fetch) {
            ahead.add(new Prefetched(part.map(), fetch));
            partsUnderWay.merge(fetch.holder().executor(), 1, Integer::sum);
        }

        private void send(BlockServerAddress holder) {
            SegmentStream whole = gathering.remove(holder);
            if (whole != null) {
                startInMemory(whole);
            }
        }

        void send() {
            gathering.values().forEach(Prefetcher.this::startInMemory);
        }
    }

    private void startInMemory(SegmentStream fetch) {
        fetch.start(shuffles.holders(), new MemoryFetchBuffer(Math.toIntExact(fetch.bytes())));
    }

    private void startOnDisk(SegmentStream fetch, SegmentLocation part) {
        String subject =
                "copy of shuffle " + table.shuffle() + ", map task " + part.map() + " for partition " + reducer;
        onDisk++;
        fetch.toDisk();
        fetch.start(shuffles.holders(), new DiskFetchBuffer(shuffles.files(), part.place(), subject));
    }

    /**
     * Reserves memory for a segment of {@code bytes} bytes; returns false if that is not possible. Only the segment
     * that the task reads next ({@code isNext}) may exceed the memory bound.
     */
    private boolean book(long bytes, boolean isNext) {
        if (booked + bytes > bytesMax && !isNext) {
            refused = true;
            return false;
        }
        long got = waits.memory().take(bytes, this);
        if (got < bytes) {
            waits.memory().give(got, this);
            refused = true;
            return false;
        }
        booked += bytes;
        return true;
    }

    /**
     * Returns the stream that contains {@code part}, the next segment to read, and requests further segments. If the
     * segment was not prefetched, fetches it now.
     */
    SegmentStream next(BlockServerAddress holder, SegmentLocation part) throws FetchFailedException {
        requestMore(part.map());
        Prefetched head = ahead.peek();
        // The segment was not prefetched if its executor's disks seemed to be shared with this machine.
        if (head == null || head.map() != part.map()) {
            return fetchAlone(holder, part);
        }
        ahead.remove();
        current = head.fetch();
        return head.fetch();
    }

    private void requestMore(int from) throws FetchFailedException {
        requested = Math.max(requested, from);
        boolean isFull = refused || bytesMax - booked < bytesMax / REFILLS;
        if (ahead.size() > restMax && isFull) {
            return;
        }
        refused = false;
        Round round = new Round();
        boolean isAnswered = true;
        boolean more = true;
        while (more && isAnswered && requested < table.maps()) {
            BlockServerAddress holder = table.holder(requested);
            if (shuffles.isSent(holder)) {
                isAnswered = answers.isAnswered(requested);
                Optional<SegmentLocation> part = isAnswered ? answers.part(requested) : Optional.empty();
                more = part.isEmpty() || round.add(holder, part.get());
            }
            if (more && isAnswered) {
                requested++;
            }
        }
        round.send();
        restMax = more ? Integer.MAX_VALUE : ahead.size() / 2;
    }

    /**
     * Fetches {@code part} in a stream of its own. The stream's buffer is released together with the segment that is
     * being read.
     */
    SegmentStream fetchAlone(BlockServerAddress holder, SegmentLocation part) {
        SegmentStream fetch = new SegmentStream(holder, table.shuffle(), reducer);
        fetch.add(part);
        extra.add(fetch);
        long bytes = part.place().bytes();
        if (bytes <= shuffles.settings().bytesInMemory() && book(bytes, true)) {
            startInMemory(fetch);
        } else {
            startOnDisk(fetch, part);
        }
        return fetch;
    }

    /**
     * Records that the task has read the segment that {@link #next} returned. If it was the last segment of its stream,
     * releases the stream's memory or file.
     */
    void read() {
        extra.forEach(this::close);
        extra.clear();
        SegmentStream fetch = current;
        current = null;
        if (fetch != null && fetch.read()) {
            open.remove(fetch);
            close(fetch);
        }
    }

    private void close(SegmentStream fetch) {
        fetch.close();
        if (fetch.isOnDisk()) {
            onDisk--;
        } else {
            booked -= fetch.bytes();
            waits.memory().give(fetch.bytes(), this);
        }
    }

    /**
     * Discards all prefetched segments after the current stream, and halves the memory bound. The segments are fetched
     * again when needed. This is cheaper than spilling other memory of the task to disk.
     */
    @Override
    public long spill(long wanted) {
        Prefetched first = ahead.stream()
                .filter(each -> each.fetch() != current)
                .findFirst()
                .orElse(null);
        if (first == null) {
            return 0;
        }
        while (!ahead.isEmpty() && ahead.getLast().map() >= first.map()) {
            SegmentStream fetch = ahead.removeLast().fetch();
            if (fetch == current) {
                fetch.read(); // counts the discarded segments of the current stream as read
            }
        }
        requested = first.map();
        long before = booked;
        for (SegmentStream fetch : List.copyOf(open)) {
            if (fetch != current) {
                open.remove(fetch);
                close(fetch);
            }
        }
        bytesMax = Math.max(SegmentStream.STREAM_BYTES, bytesMax / 2);
        refused = true;
        return before - booked;
    }

    @Override
    public void close() {
        current = null;
        ahead.clear();
        extra.forEach(this::close);
        extra.clear();
        open.forEach(this::close);
        open.clear();
    }
}
