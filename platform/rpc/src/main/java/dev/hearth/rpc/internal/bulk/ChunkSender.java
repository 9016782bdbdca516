package dev.hearth.rpc.internal.bulk;

import java.io.IOException;

/** Sends a part of some content in chunks, as fast as the window has room. Owned by the channel's event loop. */
final class ChunkSender {
    private final SendWindow window;
    private final ContentSource content;
    private final long end;
    private final Outcome outcome;
    private long position;
    private boolean ended;

    /** Takes over {@code content} and closes it. */
    ChunkSender(SendWindow window, ContentSource content, long from, long end, Outcome outcome) {
        this.window = window;
        this.content = content;
        this.position = from;
        this.end = end;
        this.outcome = outcome;
    }

    /** Writes what there is room for, without flushing. */
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

    /** Sends nothing any more; what was written stays written. */
    void cancel() {
        if (!ended) {
            ended = true;
            content.close();
        }
    }

    /** Hears once how it ended, unless it was cancelled. */
    interface Outcome {
        void sent();

        /** The content could not be read; whole chunks have been written so far. */
        void failed(Exception failure);
    }
}
