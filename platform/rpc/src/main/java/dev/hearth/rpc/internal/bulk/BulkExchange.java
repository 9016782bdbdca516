package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, on the requesting side. Waits in {@link BulkConnectionPool}, then belongs to the event
 * loop of its connection. Methods that other threads may call say so.
 */
abstract class BulkExchange {
    private final RpcAddress address;
    private final BulkRequest request;
    private volatile @Nullable BulkClientConnection connection;
    private volatile boolean begun;
    private int connectionsTried; // owned by the current owner of the exchange

    BulkExchange(RpcAddress address, BulkRequest request) {
        this.address = address;
        this.request = request;
    }

    RpcAddress address() {
        return address;
    }

    BulkRequest request() {
        return request;
    }

    /** Subject of error texts. */
    final String subject() {
        return request.subject() + " of " + address;
    }

    /** Called when the request is sent over {@code connection}. */
    final void sentOver(BulkClientConnection sending) {
        connectionsTried++;
        connection = sending;
    }

    /** The connection the request was last sent over. Any thread may call. */
    final @Nullable BulkClientConnection connection() {
        return connection;
    }

    final boolean isRetryable() {
        return !begun && !isDone() && connectionsTried < BulkLimits.CONNECTIONS_PER_REQUEST_MAX;
    }

    /** Whether a part of the response has arrived. */
    final boolean begun() {
        return begun;
    }

    final void begin() {
        begun = true;
    }

    /** Whether the response fits into one piece, so that the exchange can share a connection. */
    abstract boolean isSmall();

    /** Receives the head of the response; throws if it does not match the request. */
    abstract void opened(StreamInfo info, SendWindow window) throws MalformedFrame;

    /** Receives an intact chunk. */
    abstract void received(List<ByteBuf> parts, int length) throws MalformedFrame;

    /** Called when the response is complete. */
    abstract void ended() throws MalformedFrame;

    /** Fails the exchange, unless it is done. Any thread may call. */
    abstract void fail(HearthException failure);

    /** Called when the send window has room for more bytes. */
    void proceed() {
        // most exchanges send nothing but their request
    }

    /** Whether the exchange has ended. Any thread may call. */
    abstract boolean isDone();

    /** Whether the reader has paused the transfer. Any thread may call. */
    boolean isPaused() {
        return false;
    }

    /** Describes the progress so far, for error texts. */
    abstract String progress();

    /** The failure for a corrupt chunk. */
    abstract HearthException damaged(int length);
}
