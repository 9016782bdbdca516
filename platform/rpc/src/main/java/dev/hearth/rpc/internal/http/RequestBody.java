package dev.hearth.rpc.internal.http;

import dev.hearth.spi.net.Bytes;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Buffer for the body of one request while it arrives. Its memory grows with the bytes received, not with the declared
 * length. Owned by the event loop of its connection.
 */
final class RequestBody {
    private static final int BYTES_MIN = 256;

    private final long expected;
    private byte[] content = new byte[0];
    private int size;

    /**
     * Creates an empty buffer for a body of {@code expected} bytes, the declared length; -1 if the request declares
     * none.
     */
    RequestBody(long expected) {
        this.expected = expected;
    }

    int size() {
        return size;
    }

    void add(ByteBuf more) {
        int bytes = more.readableBytes();
        if (size + bytes > content.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(BYTES_MIN, 2L * (size + bytes)));
            content = Arrays.copyOf(content, expected >= size + bytes ? (int) Math.min(grown, expected) : grown);
        }
        more.readBytes(content, size, bytes);
        size += bytes;
    }

    /** Returns the complete body; nothing may be added afterwards. */
    Bytes take() {
        return Bytes.owning(size == content.length ? content : Arrays.copyOf(content, size));
    }
}
