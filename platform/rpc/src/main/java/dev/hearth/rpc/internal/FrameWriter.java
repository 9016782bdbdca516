package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Makes whole frames: length, kind, ask id or endpoint name or both, then message number and record, or code and text.
 * <p>Immutable; any thread may call. The frames belong to the caller.
 */
final class FrameWriter {
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int FIRST_CAPACITY_BYTES = 256;
    private static final int FAILURE_TEXT_CHARS_MAX = 16 * 1024;

    private final ByteBufAllocator allocator;
    private final int frameBytesMax;

    /** Makes frames of at most {@code frameBytesMax} bytes after their length. */
    FrameWriter(ByteBufAllocator allocator, int frameBytesMax) {
        this.allocator = allocator;
        this.frameBytesMax = frameBytesMax;
    }

    ByteBuf send(String endpoint, ProtocolCodec codec, Record message) {
        return frame(FrameKind.SEND, out -> {
            out.putText(endpoint);
            codec.encode(message, out);
        });
    }

    ByteBuf ask(long ask, String endpoint, ProtocolCodec codec, Record message) {
        return frame(FrameKind.ASK, out -> {
            out.putLong(ask);
            out.putText(endpoint);
            codec.encode(message, out);
        });
    }

    ByteBuf answer(long ask, ProtocolCodec codec, Record answer) {
        return frame(FrameKind.ANSWER, out -> {
            out.putLong(ask);
            codec.encode(answer, out);
        });
    }

    ByteBuf failure(long ask, String code, String text) {
        String bounded = text.length() <= FAILURE_TEXT_CHARS_MAX
                ? text
                : text.substring(0, FAILURE_TEXT_CHARS_MAX) + "... (" + text.length() + " characters in all)";
        return frame(FrameKind.FAILURE, out -> {
            out.putLong(ask);
            out.putText(code);
            out.putText(bounded);
        });
    }

    private ByteBuf frame(FrameKind kind, Content content) {
        // On the heap, where records are moved behind their lengths cheaply; the transport copies it out in one go.
        ByteBuf buffer = allocator.heapBuffer(FIRST_CAPACITY_BYTES);
        boolean made = false;
        try {
            buffer.writeInt(0); // the length, known at the end
            WireOutput out = new WireOutput(buffer, frameBytesMax);
            out.putByte(kind.code());
            content.write(out);
            buffer.setInt(0, buffer.writerIndex() - LENGTH_BYTES);
            made = true;
            return buffer;
        } finally {
            if (!made) {
                buffer.release();
            }
        }
    }

    private interface Content {
        void write(WireOutput out);
    }
}
