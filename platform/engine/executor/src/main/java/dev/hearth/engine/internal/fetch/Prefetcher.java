package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.protocol.BlockProtocol.SegmentLocation;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to one reading task before it reads it: small parts of one holder in one stream, large ones alone, those that memory
 * has no room for by way of a local file. Within the bounds of {@link FetchSettings}, but for the part that is read next, which
 * always comes. Invariants: what is booked with the task's memory is the bytes of streams that are not read to their end; every
 * stream but the one that is read now brings something that is ahead.
 * Owned by the task's thread.
 */
final class Prefetcher implements Spillable, AutoCloseable {
    /** Parts on their way to a disk, or there and not read. */
    private static final int ON_DISK_MAX = 1;

    private static final int REFILLS = 4; // to fill the bound: more is sent for when so much of it is free

    private final RemoteShuffleReader shuffles;
    private final MapOutputTable table;
    private final int reader;
    private final FetchAwait waits;
    private final SegmentIndexClient answers;
    private final ArrayDeque<Planned> ahead = new ArrayDeque<>(); // in the order of the map tasks
    private final List<SegmentStream> open = new ArrayList<>(); // those that bring what is ahead, or is read now
    private final List<SegmentStream> extra = new ArrayList<>(); // for the part that is read now, once more
    private @Nullable SegmentStream current; // brings the part that is read now
    private long bytesMax; // less each time that others of the task need the memory
    private int planned; // map tasks before it are sent for, where they have to be
    private long booked;
    private int onDisk;
    private boolean refused; // memory, when more was last sent for
    private int restMax = Integer.MAX_VALUE; // more is sent for when no more parts are left

    Prefetcher(
            RemoteShuffleReader shuffles,
            MapOutputTable table,
            int reader,
            FetchAwait waits,
            SegmentIndexClient answers) {
        this.shuffles = shuffles;
        this.table = table;
        this.reader = reader;
        this.waits = waits;
        this.answers = answers;
        this.bytesMax = shuffles.bytesInFlight();
    }

    private record Planned(int map, SegmentStream fetch) {}

    /** One round of sending for more: streams that may still take parts, and what is under way. */
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

        /** Adds a part that follows those that are ahead; false when that would be too much. */
        boolean add(BlockServerAddress holder, SegmentLocation part) {
            FetchSettings settings = shuffles.settings();
            boolean isNext = ahead.isEmpty(); // and has to come
            if (partsUnderWay.getOrDefault(holder.executor(), 0) >= settings.requestsPerAddress() && !isNext) {
                return false;
            }
            SegmentStream fetch = gathering.get(holder);
            // half, so that another stream is under way while one is read
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
                fetch = new SegmentStream(holder, table.shuffle(), reader);
                gathering.put(holder, fetch);
                begun(fetch);
            }
            fetch.add(part);
            added(part, fetch);
            return true;
        }

        private boolean toDisk(BlockServerAddress holder, SegmentLocation part) {
            SegmentStream fetch = new SegmentStream(holder, table.shuffle(), reader);
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
            ahead.add(new Planned(part.map(), fetch));
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
        String subject = "copy of shuffle " + table.shuffle() + ", map task " + part.map() + " for partition " + reader;
        onDisk++;
        fetch.toDisk();
        fetch.start(shuffles.holders(), new DiskFetchBuffer(shuffles.files(), part.place(), subject));
    }

    /** Takes memory for a part; the one that is read next may go beyond the bound of what is sent. */
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

    /** The stream that brings what a map task has: the next one that is read of those that are sent. */
    SegmentStream next(BlockServerAddress holder, SegmentLocation part) throws FetchFailedException {
        sendMore(part.map());
        Planned head = ahead.peek();
        if (head == null
                || head.map() != part.map()) { // the holder's disks were taken for ours when others were sent for
            return once(holder, part);
        }
        ahead.remove();
        current = head.fetch();
        return head.fetch();
    }

    private void sendMore(int from) throws FetchFailedException {
        planned = Math.max(planned, from);
        boolean isFull = refused || bytesMax - booked < bytesMax / REFILLS;
        if (ahead.size() > restMax && isFull) {
            return;
        }
        refused = false;
        Round round = new Round();
        boolean isAnswered = true;
        boolean more = true;
        while (more && isAnswered && planned < table.maps()) {
            BlockServerAddress holder = table.holder(planned);
            if (shuffles.isSent(holder)) {
                isAnswered = answers.isAnswered(planned);
                Optional<SegmentLocation> part = isAnswered ? answers.part(planned) : Optional.empty();
                more = part.isEmpty() || round.add(holder, part.get());
            }
            if (more && isAnswered) {
                planned++;
            }
        }
        round.send();
        restMax = more ? Integer.MAX_VALUE : ahead.size() / 2;
    }

    /** Has one part sent by itself; it is given up with the part that is read now. */
    SegmentStream once(BlockServerAddress holder, SegmentLocation part) {
        SegmentStream fetch = new SegmentStream(holder, table.shuffle(), reader);
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

    /** The part that {@link #next} was called for last was read. */
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
     * Gives up what is behind the stream that is read now; it is sent for again when its turn comes, and less at a time: whatever
     * else the task holds memory for could only go to a disk.
     */
    @Override
    public long spill(long wanted) {
        Planned first = ahead.stream()
                .filter(each -> each.fetch() != current)
                .findFirst()
                .orElse(null);
        if (first == null) {
            return 0;
        }
        while (!ahead.isEmpty() && ahead.getLast().map() >= first.map()) {
            SegmentStream fetch = ahead.removeLast().fetch();
            if (fetch == current) {
                fetch.read(); // not from here
            }
        }
        planned = first.map();
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
