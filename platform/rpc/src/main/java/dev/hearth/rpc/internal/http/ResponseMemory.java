package dev.hearth.rpc.internal.http;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Limits the total bytes of responses in memory that wait for their clients. Bytes are reserved before a handler runs.
 * When they are used up, requests wait, and clients that read nothing are disconnected, the longest stalled first. Any thread may call.
 */
final class ResponseMemory {
    /** Maximum size of a small response, for which a part of the memory is kept free. */
    static final int SMALL_BYTES_MAX = 64 * 1024;

    /** Maximum number of requests that wait for room. */
    static final int WAITING_MAX = 256;

    private static final int SMALL_PARTS = 8;

    private final long bytesMax;
    private final Duration stallMax;
    private final Ticker ticker;
    // shares whose responses are being sent, longest without progress first; guarded by this, like all other state
    private final Set<Share> sending = new LinkedHashSet<>();
    private final Set<Share> waiting = new LinkedHashSet<>(); // requests that wait for room, oldest first
    private long bytes;
    private long disconnected;

    /** Disconnects clients that read nothing for {@code stallMax} while the memory is used up. */
    ResponseMemory(long bytesMax, Duration stallMax, Ticker ticker) {
        this.bytesMax = bytesMax;
        this.stallMax = stallMax;
        this.ticker = ticker;
    }

    /** An empty share for one response; {@code disconnect} closes its connection. */
    Share open(Runnable disconnect) {
        return new Share(disconnect);
    }

    /** How long a request waits for room: after that, there are either stalled clients or none. */
    Duration waitMax() {
        return stallMax;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Number of clients that were disconnected to make room. */
    synchronized long disconnected() {
        return disconnected;
    }

    /** Grants memory to waiting requests in their order; small ones need not wait for large ones. */
    private void grant() {
        grant(new LinkedHashSet<>());
    }

    /** As above, without a call of those in {@code asking}, from which it removes the ones that were granted. */
    private void grant(Set<Share> asking) {
        List<Runnable> granted = new ArrayList<>();
        List<Share> stalled = new ArrayList<>();
        synchronized (this) {
            boolean full = false;
            for (Share share : List.copyOf(waiting)) {
                boolean turn = !full || share.wanted <= SMALL_BYTES_MAX;
                if (turn && reserve(share, share.wanted, stalled)) {
                    waiting.remove(share);
                    if (!asking.remove(share)) {
                        granted.add(share.granted);
                    }
                } else {
                    full = true;
                }
            }
        }
        stalled.forEach(each -> each.disconnect.run());
        granted.forEach(Runnable::run);
    }

    /** Changes a reservation if there is room; moves to {@code stalled} the clients to disconnect for it. */
    private boolean reserve(Share share, long size, List<Share> stalled) {
        long more = size - share.held;
        Iterator<Share> longest = sending.iterator();
        while (more > 0 && more > free(share, size) && longest.hasNext()) {
            Share slow = longest.next();
            if (ticker.nanos() - slow.progressNanos < stallMax.toNanos()) {
                break;
            }
            longest.remove();
            close(slow);
            stalled.add(slow);
            disconnected++;
        }
        boolean fits = more <= 0 || more <= free(share, size);
        if (fits) {
            share.held = size;
            bytes += more;
        }
        return fits;
    }

    /** Bytes that a response of {@code size} may use. One that is too large by itself needs the memory for itself. */
    private long free(Share share, long size) {
        long kept = bytesMax / SMALL_PARTS;
        if (size <= SMALL_BYTES_MAX) {
            return bytesMax - bytes;
        }
        return size > bytesMax - kept && bytes - share.held <= kept ? size : bytesMax - kept - bytes;
    }

    private void close(Share share) {
        share.closed = true;
        bytes -= share.held;
        share.held = 0;
    }

    /** Outcome of a request for bytes; it is refused if too many wait already. */
    enum Request {
        GRANTED,
        WAITS,
        REFUSED
    }

    /** The bytes reserved for one response, until it is sent or dropped. */
    final class Share {
        private final Runnable disconnect;
        private Runnable granted = () -> {}; // guarded by the memory, like all other fields
        private long wanted;
        private long held;
        private long progressNanos;
        private boolean closed;

        private Share(Runnable disconnect) {
            this.disconnect = disconnect;
        }

        /**
         * Asks for {@code size} bytes. If the request waits, {@code whenGranted} runs once there is room, on the thread
         * that released some.
         */
        Request request(long size, Runnable whenGranted) {
            synchronized (ResponseMemory.this) {
                if (waiting.size() >= WAITING_MAX) {
                    return Request.REFUSED;
                }
                wanted = size;
                granted = whenGranted;
                waiting.add(this);
            }
            Set<Share> own = new LinkedHashSet<>(Set.of(this));
            grant(own);
            return own.isEmpty() ? Request.GRANTED : Request.WAITS;
        }

        /** Ends a request for bytes; false if they were granted before. */
        boolean giveUp() {
            grant(); // clients may have stalled for long enough in the meantime
            synchronized (ResponseMemory.this) {
                return waiting.remove(this);
            }
        }

        /** Changes the reservation to {@code size}; false if there is no room, in which case it stays as it is. */
        boolean reserve(long size) {
            List<Share> stalled = new ArrayList<>();
            boolean fits;
            boolean smaller;
            synchronized (ResponseMemory.this) {
                smaller = size < held;
                fits = closed || ResponseMemory.this.reserve(this, size, stalled);
            }
            stalled.forEach(each -> each.disconnect.run());
            if (smaller) {
                grant();
            }
            return fits;
        }

        /** Changes the reservation to {@code size}, even beyond the limit. */
        void require(long size) {
            synchronized (ResponseMemory.this) {
                if (!closed) {
                    bytes += size - held;
                    held = size;
                }
            }
        }

        /** Called when the response is being sent, and whenever the client has read some of it. */
        void progressed() {
            synchronized (ResponseMemory.this) {
                if (!closed) {
                    progressNanos = ticker.nanos();
                    sending.remove(this); // to the end
                    sending.add(this);
                }
            }
        }

        /** Releases the bytes; the response was sent, or will not be sent. */
        void release() {
            synchronized (ResponseMemory.this) {
                sending.remove(this);
                waiting.remove(this);
                if (!closed) {
                    close(this);
                }
            }
            grant();
        }
    }
}
