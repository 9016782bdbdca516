package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Response to one bulk request while it is produced. Owned by the channel's event loop. */
interface BulkResponse {
    /** Called when the socket has accepted bytes and there may be room for more. */
    void proceed();

    /** Whether the other side must send chunks now. */
    boolean wantsChunks();

    /** Receives an intact chunk, as requested by {@link #wantsChunks}. */
    void take(List<ByteBuf> parts, int length);

    /** Receives a corrupt chunk. */
    void damaged(int length);

    /** Called when the connection has ended. */
    void cancel();
}
