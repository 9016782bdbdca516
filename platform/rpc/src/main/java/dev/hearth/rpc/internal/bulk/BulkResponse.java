package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Response to one bulk request while it is produced. Owned by the channel's event loop. */
interface BulkResponse {
    /** Sends more of the response. Called when the socket has accepted bytes, so more may be written. */
    void proceed();

    /** Whether this response expects chunks from the requesting process now, as an upload does. */
    boolean wantsChunks();

    /** Receives a chunk whose checksum matches. Called only while {@link #wantsChunks} is true. */
    void take(List<ByteBuf> parts, int length);

    /** Handles a chunk whose checksum does not match, such as a part of an upload that was corrupted on the way. */
    void damaged(int length);

    /** Stops the response, because the connection has ended. */
    void cancel();
}
