package dev.hearth.rpc.internal.bulk;

import java.time.Duration;

/** The bounds of the bulk lane. Stateless. */
final class BulkLimits {
    /** What content is checked in: no chunk crosses a multiple of this. */
    static final int PIECE_BYTES = 1 << 18;

    /** A frame that is no chunk: a request, a head of an answer, a failure. */
    static final int FRAME_BYTES_MAX = 16 * 1024;

    /** Requests on one connection that wait for their answers, or have theirs under way. */
    static final int PIPELINED_REQUESTS_MAX = 64;

    /** Bytes written to a connection that the system has not taken yet; one chunk may follow below this. */
    static final int QUEUED_BYTES_MAX = 2 << 20;

    /** Below this, a piece of a file is read and sent along with its head; from there on the system sends it. */
    static final int ZERO_COPY_BYTES_MIN = 64 * 1024;

    /** Connections to one address for small pieces, and again as many for whole streams; paused ones are not counted. */
    static final int CONNECTIONS_MAX = 2;

    /** Connections to one address and of one kind, those with a paused transfer included. */
    static final int CONNECTIONS_WITH_PAUSED_MAX = 32;

    /** Transfers that wait for a connection to one address. */
    static final int WAITING_MAX = 65_536;

    /** Connections on which a request that had no answer yet may be lost, before it counts as failed. */
    static final int CONNECTIONS_PER_REQUEST_MAX = 3;

    static final Duration CLIENT_IDLE_MAX = Duration.ofMinutes(1);

    /** Longer than the client's, so that a connection is not closed under a request. */
    static final Duration SERVER_IDLE_MAX = Duration.ofMinutes(3);

    /** How long a reader may take nothing. */
    static final Duration READER_PAUSE_MAX = Duration.ofMinutes(10);

    static final int LISTING_BYTES_MAX = 32 << 20;
    static final int NAME_CHARS_MAX = 1_024;
    static final int TAG_CHARS_MAX = 256;
    static final int FAILURE_CHARS_MAX = 2_048;

    /** Attempts one after another that bring a download or an upload no byte further. */
    static final int ATTEMPTS_WITHOUT_PROGRESS_MAX = 5;

    /** What a bulk connection reads at once; the usual 64 KiB cost a third of the speed. */
    static final int READ_BYTES = 256 * 1024;

    /** Parts that a chunk is kept in as it arrived; beyond, they are copied together, as each may hold a whole read's memory. */
    static final int PARTS_PER_CHUNK_MAX = 16;

    /** How often the other side hears, at least, that a disk is at work for it. */
    static final Duration WORK_BEAT_MAX = Duration.ofSeconds(1);

    /** How long a disk may work on one step of an answer: reading what there is of an upload, a sync, a listing. */
    static final Duration DISK_STEP_MAX = Duration.ofHours(1);

    /** How long the last word to a peer at fault may take to leave. */
    static final Duration LAST_WORD_MAX = Duration.ofSeconds(5);

    private BulkLimits() {}
}
