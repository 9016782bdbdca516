package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A frame to be written, and the ask that waits for what it brings, if any. */
record Outgoing(ByteBuf frame, @Nullable PendingAsk ask) {
    int bytes() {
        return frame.readableBytes();
    }
}
