package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** How one request is being answered. Owned by the channel's event loop. */
interface BulkResponse {
    /** The system has taken something that was written: there may be room for more. */
    void proceed();

    /** Whether the other side has to send chunks now. */
    boolean wantsChunks();

    /** A chunk that is what was sent; asked for by {@link #wantsChunks}. */
    void take(List<ByteBuf> parts, int length);

    /** A chunk that is not what was sent. */
    void damaged(int length);

    /** The connection is gone. */
    void cancel();
}
