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
 * When all are reserved, requests wait for bytes, and clients that read nothing are disconnected, the longest stalled
 * first. Any thread may call.
 */
final class ResponseMemory {
    /** Maximum size in bytes of a small response. An eighth of the memory is kept free for small responses. */
    static final int SMALL_BYTES_MAX = 64 * 1024;

    /** Maximum number of requests that wait for memory for their responses. Further requests are refused. */
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

    /**
     * Creates a memory of {@code bytesMax} bytes. While it is used up, clients that have read nothing for {@code
     * stallMax} are disconnected.
     */
    ResponseMemory(long bytesMax, Duration stallMax, Ticker ticker) {
        this.bytesMax = bytesMax;
        this.stallMax = stallMax;
        this.ticker = ticker;
    }

    /**
     * Creates the share of one response, without any bytes reserved; {@code disconnect} closes the connection to its
     * client.
     */
    Share open(Runnable disconnect) {
        return new Share(disconnect);
    }

    /**
     * Returns the maximum time for which a request waits for memory. It equals the time after which a client that reads
     * nothing can be disconnected.
     */
    Duration waitMax() {
        return stallMax;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Number of clients that were disconnected because they read nothing while the memory was used up. */
    synchronized long disconnected() {
        return disconnected;
    }

    /** Grants memory to waiting requests, oldest first. Small requests need not wait for large ones. */
    private void grant() {
        grant(new LinkedHashSet<>());
    }

    /**
     * Grants memory like {@link #grant()}. {@code asking} contains the shares whose requests wait for the outcome of
     * this call. Those granted memory are removed from the set instead of being notified.
     */
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

    /**
     * Changes the reservation of {@code share} to {@code size} bytes, and returns whether there was room. Clients that
     * must be disconnected to make room are added to {@code stalled}.
     */
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

    /**
     * Returns the number of bytes that {@code share} may reserve in addition, for a response of {@code size} bytes. A
     * response too large to fit beside the others gets its whole size while those use at most an eighth of the memory.
     */
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

    /**
     * Outcome of a request for bytes: granted at once, waiting, or refused because {@link #WAITING_MAX} requests wait
     * already.
     */
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
         * Asks for {@code size} bytes. If the outcome is to wait, {@code whenGranted} runs once the bytes are reserved,
         * on the thread that released others.
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

        /**
         * Withdraws the request for bytes that waits, for example at its time limit. Returns false if no request waits,
         * because the bytes have been granted already.
         */
        boolean giveUp() {
            grant(); // clients may have stalled for long enough in the meantime
            synchronized (ResponseMemory.this) {
                return waiting.remove(this);
            }
        }

        /** Changes the reservation to {@code size} bytes. Returns false, without changing it, if there is no room. */
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

        /**
         * Changes the reservation to {@code size} bytes without checking for room, so that the total may exceed the
         * limit.
         */
        void require(long size) {
            synchronized (ResponseMemory.this) {
                if (!closed) {
                    bytes += size - held;
                    held = size;
                }
            }
        }

        /**
         * Restarts the time that the client may read nothing before it can be disconnected. Called when sending the
         * response begins, and whenever the client has read a part of it.
         */
        void progressed() {
            synchronized (ResponseMemory.this) {
                if (!closed) {
                    progressNanos = ticker.nanos();
                    sending.remove(this); // to the end
                    sending.add(this);
                }
            }
        }

        /** Releases the reserved bytes, because the response was sent or will not be sent. */
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
