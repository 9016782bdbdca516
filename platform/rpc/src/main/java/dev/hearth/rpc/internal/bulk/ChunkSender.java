package dev.hearth.rpc.internal.bulk;

import java.io.IOException;

/** Sends a range of some content in chunks, as fast as the send window allows. Owned by the channel's event loop. */
final class ChunkSender {
    private final SendWindow window;
    private final ContentSource content;
    private final long end;
    private final Outcome outcome;
    private long position;
    private boolean ended;

    /** Takes ownership of {@code content} and closes it. */
    ChunkSender(SendWindow window, ContentSource content, long from, long end, Outcome outcome) {
        this.window = window;
        this.content = content;
        this.position = from;
        this.end = end;
        this.outcome = outcome;
    }

    /** Writes as much as the window has room for, without flushing. */
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

    /** Stops sending; written chunks are still transferred. */
    void cancel() {
        if (!ended) {
            ended = true;
            content.close();
        }
    }

    /** Receives the outcome once, unless the sender is cancelled. */
    interface Outcome {
        void sent();

        /** The content could not be read; all chunks written so far are complete. */
        void failed(Exception failure);
    }
}
