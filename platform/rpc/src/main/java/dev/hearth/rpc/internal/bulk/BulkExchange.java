package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as the asking side sees it. Waits in {@link BulkConnectionPool}, then belongs to the event
 * loop of its connection. The methods that other threads may call say so.
 */
abstract class BulkExchange {
    private final RpcAddress address;
    private final BulkRequest request;
    private volatile @Nullable BulkClientConnection connection;
    private volatile boolean begun;
    private int connectionsTried; // owned by whoever has the exchange

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

    /** The subject of what is said about it. */
    final String subject() {
        return request.subject() + " of " + address;
    }

    /** It is sent over {@code connection}. */
    final void sentOver(BulkClientConnection sending) {
        connectionsTried++;
        connection = sending;
    }

    /** The connection it was sent over. Any thread may call. */
    final @Nullable BulkClientConnection connection() {
        return connection;
    }

    final boolean mayBeSentAgain() {
        return !begun && !isDone() && connectionsTried < BulkLimits.CONNECTIONS_PER_REQUEST_MAX;
    }

    /** Whether a part of the answer has come. */
    final boolean begun() {
        return begun;
    }

    final void begin() {
        begun = true;
    }

    /** Whether its answer fits into one piece, so that it can share a connection. */
    abstract boolean isSmall();

    /** The head of the answer; throws when it does not fit the request. */
    abstract void opened(StreamInfo info, SendWindow window) throws MalformedFrame;

    /** A chunk that is what was sent. */
    abstract void received(List<ByteBuf> parts, int length) throws MalformedFrame;

    /** The answer is complete. */
    abstract void ended() throws MalformedFrame;

    /** Fails it, unless it is done. Any thread may call. */
    abstract void fail(HearthException failure);

    /** There is room for more to be sent. */
    void proceed() {
        // most send nothing but their request
    }

    /** Whether nobody waits for it any more. Any thread may call. */
    abstract boolean isDone();

    /** Whether the reader wants no bytes now. Any thread may call. */
    boolean isPaused() {
        return false;
    }

    /** How far it came, for people. */
    abstract String progress();

    /** A chunk came that is not what was sent. */
    abstract HearthException damaged(int length);
}
