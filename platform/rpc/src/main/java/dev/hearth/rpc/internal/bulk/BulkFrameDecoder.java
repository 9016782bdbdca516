package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames from bytes. Chunks (frames of transferred data) stay in the buffers in which they arrived, and their
 * checksums are verified before delivery. Invalid bytes cause a {@link MalformedFrame}. Owned by the channel's event
 * loop.
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
    private @Nullable ByteBuf merged; // the only part of the chunk, once too many parts have been merged into it
    private byte[] body = NO_BYTES; // body of the current frame, unless it is a chunk
    private int length;
    private int missing;
    private boolean stopped;
    private volatile long frames; // number of complete frames; any thread may read it

    BulkFrameDecoder(Receiver receiver) {
        this.receiver = receiver;
        head.limit(HEAD_BYTES);
    }

    /**
     * Decodes {@code in} to its end, or until the {@link Receiver} calls {@link #stop}. The caller still owns {@code
     * in}.
     */
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

    /** Discards a partly received frame, and ignores all bytes from now on. */
    void stop() {
        stopped = true;
        reset();
    }

    /** Number of frames that were received completely since the connection began. Thread-safe. */
    long frames() {
        return frames;
    }

    private void count() {
        long before = frames; // this need not be atomic, because only this thread writes the field
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
            head.limit(BulkFrameKind.CHUNK_HEAD_BYTES); // the head of a chunk includes its CRC
        } else if (length == 0) {
            reset();
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
            reset();
            count();
            receiver.frame(current, whole);
        }
    }

    private void readChunk(ByteBuf in) throws MalformedFrame {
        int take = Math.min(missing, in.readableBytes());
        crc.update(in.nioBuffer(in.readerIndex(), take));
        append(in, take);
        missing -= take;
        if (missing == 0) {
            boolean intact = (int) crc.getValue() == head.getInt(HEAD_BYTES);
            count();
            try {
                receiver.chunk(parts, length, intact);
            } finally {
                reset();
            }
        }
    }

    private void append(ByteBuf in, int take) {
        if (merged == null && parts.size() == BulkLimits.PARTS_PER_CHUNK_MAX) {
            ByteBuf whole = in.alloc().directBuffer(length);
            for (ByteBuf part : parts) {
                whole.writeBytes(part);
                part.release();
            }
            parts.clear();
            parts.add(whole);
            merged = whole;
        }
        if (merged == null) {
            parts.add(in.readRetainedSlice(take));
        } else {
            merged.writeBytes(in, take);
        }
    }

    private void reset() {
        parts.forEach(ByteBuf::release);
        parts.clear();
        merged = null;
        kind = null;
        body = NO_BYTES;
        head.clear().limit(HEAD_BYTES);
    }

    /**
     * Callback for the decoded frames, called in their order. If it throws {@link MalformedFrame}, the caller ends the
     * connection.
     */
    interface Receiver {
        /**
         * Called when the head of a frame, with its kind and the length of its body, has arrived. May throw, to refuse
         * the frame before the body is buffered.
         */
        void begins(BulkFrameKind kind, int length) throws MalformedFrame;

        /** Receives a complete frame other than a chunk. */
        void frame(BulkFrameKind kind, ByteBuffer body) throws MalformedFrame;

        /**
         * Receives the buffers of a complete chunk, {@code length} bytes in all. {@code intact} is whether its checksum
         * matches. The decoder still owns the buffers.
         */
        void chunk(List<ByteBuf> parts, int length, boolean intact) throws MalformedFrame;
    }
}
