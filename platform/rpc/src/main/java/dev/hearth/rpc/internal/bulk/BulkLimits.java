package dev.hearth.rpc.internal.bulk;

import java.time.Duration;

/** Limits of the bulk lane, the connections for streams and files. Stateless. */
final class BulkLimits {
    /**
     * Size in bytes of the pieces into which files are divided. Checksums are cached per piece, and no chunk crosses a
     * piece boundary.
     */
    static final int PIECE_BYTES = 1 << 18;

    /** Maximum size of a frame other than a chunk: a request, the head of a response, a failure. */
    static final int FRAME_BYTES_MAX = 16 * 1024;

    /** Maximum number of unfinished requests on one connection. */
    static final int PIPELINED_REQUESTS_MAX = 64;

    /**
     * Bound on the bytes that were written to a connection and not yet accepted by the socket. While fewer are queued,
     * one more chunk may be written, which may exceed the bound.
     */
    static final int QUEUED_BYTES_MAX = 2 << 20;

    /** Minimum size of a chunk that the operating system sends from file to socket. Smaller chunks are copied. */
    static final int ZERO_COPY_BYTES_MIN = 64 * 1024;

    /**
     * Maximum number of active connections per address for small requests, whose responses fit into one chunk. A second
     * maximum of the same size applies to connections for larger transfers. Connections that a reader has paused do not
     * count.
     */
    static final int CONNECTIONS_MAX = 2;

    /**
     * Maximum number of connections per address, paused ones included. It applies separately to connections for small
     * requests and for larger transfers.
     */
    static final int CONNECTIONS_WITH_PAUSED_MAX = 32;

    /**
     * Maximum number of requests that wait for a connection to one address; a further one fails. Applies separately to
     * small requests and to larger transfers.
     */
    static final int WAITING_MAX = 65_536;

    /**
     * Maximum number of connections over which one request is tried, the first included. If the last one is lost before
     * the response begins, the request fails.
     */
    static final int CONNECTIONS_PER_REQUEST_MAX = 3;

    static final Duration CLIENT_IDLE_MAX = Duration.ofMinutes(1);

    /**
     * Idle time after which the server closes a connection. It exceeds the client's idle time, so that the server does
     * not close a connection that the client is about to use.
     */
    static final Duration SERVER_IDLE_MAX = Duration.ofMinutes(3);

    /** Maximum time for which a reader may accept no bytes; then its connection is closed. */
    static final Duration READER_PAUSE_MAX = Duration.ofMinutes(10);

    static final int LISTING_BYTES_MAX = 32 << 20;
    static final int NAME_CHARS_MAX = 1_024;
    static final int TAG_CHARS_MAX = 256;
    static final int FAILURE_CHARS_MAX = 2_048;

    /** Maximum number of consecutive attempts without progress of one download or upload, which then fails. */
    static final int ATTEMPTS_WITHOUT_PROGRESS_MAX = 5;

    /** Buffer size of one read from a bulk connection. With the usual 64 KiB, transfers were a third slower. */
    static final int READ_BYTES = 256 * 1024;

    /**
     * Maximum number of buffers per chunk. More buffers are copied into one, because each buffer may pin the memory of
     * a whole read.
     */
    static final int PARTS_PER_CHUNK_MAX = 16;

    /**
     * Maximum interval between WORKING frames, which the server sends as a sign of life during a slow disk operation.
     */
    static final Duration WORK_BEAT_MAX = Duration.ofSeconds(1);

    /** Maximum time of one disk operation, such as hashing a partial upload, a sync or a listing. */
    static final Duration DISK_STEP_MAX = Duration.ofHours(1);

    /**
     * Maximum time for sending the final failure to a remote process that broke the protocol. Then the connection is
     * closed, whether or not the failure was sent.
     */
    static final Duration LAST_WORD_MAX = Duration.ofSeconds(5);

    private BulkLimits() {}
}
