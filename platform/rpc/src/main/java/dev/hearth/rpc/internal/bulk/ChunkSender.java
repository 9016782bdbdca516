package dev.hearth.rpc.internal.bulk;

import java.io.IOException;

/**
 * Sends a range of a file or stream in chunks, as fast as the send window of the connection allows. Owned by the
 * channel's event loop.
 */
final class ChunkSender {
    private final SendWindow window;
    private final ContentSource content;
    private final long end;
    private final Outcome outcome;
    private long position;
    private boolean ended;

    /**
     * Creates a sender of the bytes of {@code content} from offset {@code from} to {@code end}, exclusive. It closes
     * {@code content} when sending ends or is cancelled.
     */
    ChunkSender(SendWindow window, ContentSource content, long from, long end, Outcome outcome) {
        this.window = window;
        this.content = content;
        this.position = from;
        this.end = end;
        this.outcome = outcome;
    }

    /** Writes as many chunks as the send window allows, without flushing. */
    void send() {
        try {
            while (!ended && position < end && window.hasRoom()) {
                long inPiece = BulkLimits.PIECE_BYTES - position % BulkLimits.PIECE_BYTES;
                int length = (int) Math.min(inPiece, end - position);
                window.writeChunk(content.chunk(window.allocator(), position, length, window.zeroCopy()), length);
                position += length;
            }
        } catch (IOException | RuntimeException failure) {
            cancel();
            outcome.failed(failure);
            return;
        }
        if (!ended && position == end) {
            cancel();
            outcome.sent();
        }
    }

    /** Offset of the first byte of the content that is not written yet. */
    long position() {
        return position;
    }

    /** Stops writing chunks. Chunks that are already written are still transferred. */
    void cancel() {
        if (!ended) {
            ended = true;
            content.close();
        }
    }

    /** Callback for the outcome of sending. One of its methods is called, once; none if the sender is cancelled. */
    interface Outcome {
        void sent();

        /** Receives the failure to read the content. The chunks written before are complete. */
        void failed(Exception failure);
    }
}
