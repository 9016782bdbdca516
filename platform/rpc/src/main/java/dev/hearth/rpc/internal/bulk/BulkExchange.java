package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exchange of bulk data: one request and its response, as seen by the requesting process. The exchange waits in {@link
 * BulkConnectionPool}, then belongs to the event loop of its connection. Methods are thread-safe only where stated.
 */
abstract class BulkExchange {
    private final RpcAddress address;
    private final BulkRequest request;
    private volatile @Nullable BulkClientConnection connection;
    private volatile boolean begun;
    // written by the pool while the exchange waits, then by the event loop of its connection
    private int connectionsTried;

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

    /** Name of the stream, directory or content that is transferred, with which error texts begin. */
    final String subject() {
        return request.subject() + " of " + address;
    }

    /** Records that the request is sent over {@code connection}. */
    final void sentOver(BulkClientConnection sending) {
        connectionsTried++;
        connection = sending;
    }

    /** Connection over which the request was last sent. Thread-safe. */
    final @Nullable BulkClientConnection connection() {
        return connection;
    }

    final boolean isRetryable() {
        return !begun && !isDone() && connectionsTried < BulkLimits.CONNECTIONS_PER_REQUEST_MAX;
    }

    /**
     * Whether a part of the response has arrived. From then on the request is not sent again over another connection.
     */
    final boolean begun() {
        return begun;
    }

    final void begin() {
        begun = true;
    }

    /**
     * Whether the response is sure to fit into one chunk. Small exchanges share connections; each other exchange has a
     * connection of its own.
     */
    abstract boolean isSmall();

    /**
     * Receives the head of the response: {@code info} contains the size and version tag of the stream and the range
     * that follows. Throws if it does not match the request.
     */
    abstract void opened(StreamInfo info, SendWindow window) throws MalformedFrame;

    /** Receives a chunk of the response, {@code length} bytes whose checksum matches, in the buffers {@code parts}. */
    abstract void received(List<ByteBuf> parts, int length) throws MalformedFrame;

    /** Completes the exchange. Called at the end of the response; throws if a part of it is missing. */
    abstract void ended() throws MalformedFrame;

    /** Fails the exchange, unless it is done. Thread-safe. */
    abstract void fail(HearthException failure);

    /**
     * Sends more bytes, if this exchange is an upload; otherwise does nothing. Called when the socket has accepted
     * bytes, so that more may be written.
     */
    void proceed() {
        // nothing to do: most exchanges send only their request
    }

    /** Whether the exchange has ended. Thread-safe. */
    abstract boolean isDone();

    /** Whether the code of this process that receives the transferred bytes has paused the transfer. Thread-safe. */
    boolean isPaused() {
        return false;
    }

    /** Describes the progress so far, for error texts. */
    abstract String progress();

    /** Creates the failure to report for a corrupt chunk. */
    abstract HearthException damaged(int length);
}
