package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.WireOutput;
import org.jspecify.annotations.Nullable;

/**
 * Frame that waits in the {@link Outbox} of one peer, with the ask (a message that expects an answer) that it carries,
 * if any.
 */
final class OutboundFrame {
    final byte[] array;
    final int size;
    final @Nullable PendingAsk<?> ask;
    // whether its ask was offered to the table of pending asks; accessed only on the channel's event loop
    boolean registered;
    boolean admitted; // whether the table of pending asks accepted its ask; accessed only on the channel's event loop
    volatile @Nullable OutboundFrame next; // next frame in the queue; written once, by the thread that adds that frame

    OutboundFrame(WireOutput frame, @Nullable PendingAsk<?> ask) {
        this(frame.array(), frame.size(), ask);
    }

    private OutboundFrame(byte[] array, int size, @Nullable PendingAsk<?> ask) {
        this.array = array;
        this.size = size;
        this.ask = ask;
    }

    /** Creates the first element of a queue, a placeholder that is never written. */
    static OutboundFrame sentinel() {
        return new OutboundFrame(new byte[0], 0, null);
    }
}
