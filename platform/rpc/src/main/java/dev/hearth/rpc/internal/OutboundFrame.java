package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.WireOutput;
import org.jspecify.annotations.Nullable;

/** A frame to be written, the ask that waits for what it brings, if any, and its place in the queue. Made for one peer. */
final class OutboundFrame {
    final byte[] array;
    final int size;
    final @Nullable PendingAsk<?> ask;
    boolean noted; // whether its ask was noted already; owned by the channel's event loop
    boolean waits; // whether its ask was taken then; owned by the channel's event loop
    volatile @Nullable OutboundFrame next; // written once, by whoever adds the one behind this

    OutboundFrame(WireOutput frame, @Nullable PendingAsk<?> ask) {
        this(frame.array(), frame.size(), ask);
    }

    private OutboundFrame(byte[] array, int size, @Nullable PendingAsk<?> ask) {
        this.array = array;
        this.size = size;
        this.ask = ask;
    }

    /** What stands at the beginning of a queue and is never written. */
    static OutboundFrame none() {
        return new OutboundFrame(new byte[0], 0, null);
    }
}
