package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Makes frames of bytes as they come. Chunks are kept in the buffers they came in and checked before anybody sees them;
 * everything else is small. Any bytes give frames or a {@link MalformedFrame}. Owned by the channel's event loop.
 */
final class BulkFrameDecoder {
    private static final int HEAD_BYTES = BulkFrameKind.HEAD_BYTES;
    private static final byte[] NO_BYTES = {};
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(NO_BYTES);

    private final Receiver receiver;
    private final ByteBuffer head = ByteBuffer.allocate(BulkFrameKind.CHUNK_HEAD_BYTES);
    private final List<ByteBuf> parts = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private @Nullable BulkFrameKind kind; // null between frames
    private @Nullable ByteBuf gathered; // the one part, once there were too many
    private byte[] body = NO_BYTES; // of a frame that is no chunk
    private int length;
    private int missing;
    private boolean stopped;
    private volatile long frames; // whole ones so far; read by anybody

    BulkFrameDecoder(Receiver receiver) {
        this.receiver = receiver;
        head.limit(HEAD_BYTES);
    }

    /** Reads all of {@code in}, or until {@link #stop}; the caller keeps and releases it. */
    void read(ByteBuf in) throws MalformedFrame {
        while (in.isReadable() && !stopped) {
            BulkFrameKind current = kind;
            if (current == null) {
                readHead(in);
            } else if (current == BulkFrameKind.CHUNK) {
                readChunk(in);
            } else {
                readBody(current, in);
            }
        }
    }

    /** Drops what was begun and reads nothing any more. */
    void stop() {
        stopped = true;
        discard();
    }

    /** How many whole frames there were so far. Any thread may call. */
    long frames() {
        return frames;
    }

    private void count() {
        long before = frames; // written by this thread alone
        frames = before + 1;
    }

    private void readHead(ByteBuf in) throws MalformedFrame {
        while (head.hasRemaining() && in.isReadable()) {
            head.put(in.readByte());
        }
        if (head.hasRemaining()) {
            return;
        }
        if (head.limit() == BulkFrameKind.CHUNK_HEAD_BYTES) {
            kind = BulkFrameKind.CHUNK;
            missing = length;
            crc.reset();
            return;
        }
        BulkFrameKind begun = BulkFrameKind.of(head.get(Integer.BYTES));
        length = begun.requireLength(head.getInt(0));
        receiver.begins(begun, length);
        if (begun == BulkFrameKind.CHUNK) {
            head.limit(BulkFrameKind.CHUNK_HEAD_BYTES); // its CRC belongs to its head
        } else if (length == 0) {
            discard();
            count();
            receiver.frame(begun, NOTHING);
        } else {
            kind = begun;
            body = new byte[length];
            missing = length;
        }
    }

    private void readBody(BulkFrameKind current, ByteBuf in) throws MalformedFrame {
        int take = Math.min(missing, in.readableBytes());
        in.readBytes(body, length - missing, take);
        missing -= take;
        if (missing == 0) {
            ByteBuffer whole = ByteBuffer.wrap(body);
            discard();
            count();
            receiver.frame(current, whole);
        }
    }

    private void readChunk(ByteBuf in) throws MalformedFrame {
        int take = Math.min(missing, in.readableBytes());
        crc.update(in.nioBuffer(in.readerIndex(), take));
        keep(in, take);
        missing -= take;
        if (missing == 0) {
            boolean right = (int) crc.getValue() == head.getInt(HEAD_BYTES);
            count();
            try {
                receiver.chunk(parts, length, right);
            } finally {
                discard();
            }
        }
    }

    private void keep(ByteBuf in, int take) {
        if (gathered == null && parts.size() == BulkLimits.PARTS_PER_CHUNK_MAX) {
            ByteBuf whole = in.alloc().directBuffer(length);
            for (ByteBuf part : parts) {
                whole.writeBytes(part);
                part.release();
            }
            parts.clear();
            parts.add(whole);
            gathered = whole;
        }
        if (gathered == null) {
            parts.add(in.readRetainedSlice(take));
        } else {
            gathered.writeBytes(in, take);
        }
    }

    private void discard() {
        parts.forEach(ByteBuf::release);
        parts.clear();
        gathered = null;
        kind = null;
        body = NO_BYTES;
        head.clear().limit(HEAD_BYTES);
    }

    /** Takes frames in their order. What it throws ends the connection. */
    interface Receiver {
        /** A frame begins: the moment to refuse one that must not come now, before its bytes are kept. */
        void begins(BulkFrameKind kind, int length) throws MalformedFrame;

        /** A whole frame that is no chunk. */
        void frame(BulkFrameKind kind, ByteBuffer body) throws MalformedFrame;

        /** A whole chunk, and whether its bytes are those that were sent; the parts are the decoder's. */
        void chunk(List<ByteBuf> parts, int length, boolean right) throws MalformedFrame;
    }
}
