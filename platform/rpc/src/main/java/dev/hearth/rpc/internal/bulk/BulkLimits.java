package dev.hearth.rpc.internal.bulk;

import java.time.Duration;

/** Bounds of the bulk lane. Stateless. */
final class BulkLimits {
    /** Size of the pieces that checksums cover: no chunk crosses a multiple of it. */
    static final int PIECE_BYTES = 1 << 18;

    /** Maximum size of a frame other than a chunk: a request, the head of a response, a failure. */
    static final int FRAME_BYTES_MAX = 16 * 1024;

    /** Maximum number of requests on one connection that wait for a response or receive one. */
    static final int PIPELINED_REQUESTS_MAX = 64;

    /**
     * Bound on the bytes that were written and not yet accepted by the socket. Below it, one more chunk may be written.
     */
    static final int QUEUED_BYTES_MAX = 2 << 20;

    /** Chunks from this size on are sent from file to socket by the operating system; smaller ones are copied. */
    static final int ZERO_COPY_BYTES_MIN = 64 * 1024;

    /**
     * Maximum number of connections per address for small requests, and also for whole streams, without paused ones.
     */
    static final int CONNECTIONS_MAX = 2;

    /** Maximum number of connections per address and kind, including those with a paused transfer. */
    static final int CONNECTIONS_WITH_PAUSED_MAX = 32;

    /** Maximum number of transfers that wait for a connection to one address. */
    static final int WAITING_MAX = 65_536;

    /** Number of connections over which an unanswered request is sent before it fails. */
    static final int CONNECTIONS_PER_REQUEST_MAX = 3;

    static final Duration CLIENT_IDLE_MAX = Duration.ofMinutes(1);

    /**
     * Idle time until the server closes a connection. Longer than the client's, so that the server does not close a
     * connection that the client is about to use.
     */
    static final Duration SERVER_IDLE_MAX = Duration.ofMinutes(3);

    /** Maximum time for which a reader may accept no bytes. */
    static final Duration READER_PAUSE_MAX = Duration.ofMinutes(10);

    static final int LISTING_BYTES_MAX = 32 << 20;
    static final int NAME_CHARS_MAX = 1_024;
    static final int TAG_CHARS_MAX = 256;
    static final int FAILURE_CHARS_MAX = 2_048;

    /** Maximum number of consecutive attempts of a download or upload without progress. */
    static final int ATTEMPTS_WITHOUT_PROGRESS_MAX = 5;

    /** Bytes read at once from a bulk connection. The usual 64 KiB were a third slower. */
    static final int READ_BYTES = 256 * 1024;

    /**
     * Maximum number of buffers per chunk; with more they are copied into one, because each may pin the memory of a
     * whole read.
     */
    static final int PARTS_PER_CHUNK_MAX = 16;

    /** Maximum interval of WORKING frames during a disk operation. */
    static final Duration WORK_BEAT_MAX = Duration.ofSeconds(1);

    /** Maximum time of one disk operation: hashing a partial upload, a sync, a listing. */
    static final Duration DISK_STEP_MAX = Duration.ofHours(1);

    /** Maximum time to send the final failure to a peer that broke the protocol. */
    static final Duration LAST_WORD_MAX = Duration.ofSeconds(5);

    private BulkLimits() {}
}
