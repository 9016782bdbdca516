package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.WireOutput;
import org.jspecify.annotations.Nullable;

/** A frame in the outbox of one peer, with the ask that it carries, if any. */
final class OutboundFrame {
    final byte[] array;
    final int size;
    final @Nullable PendingAsk<?> ask;
    boolean registered; // whether its ask was offered to the ask table; owned by the channel's event loop
    boolean admitted; // whether the table accepted it; owned by the channel's event loop
    volatile @Nullable OutboundFrame next; // written once, by the thread that adds the next frame

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
