package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;

/**
 * Kind of a frame on a bulk connection. A frame on the wire consists of the length of its body (four bytes), the number
 * of its kind (one byte) and its body. A chunk also has its CRC32C, before the body.
 */
enum BulkFrameKind {
    FETCH(1, BulkLimits.FRAME_BYTES_MAX),
    LIST(2, BulkLimits.FRAME_BYTES_MAX),
    OFFER(3, BulkLimits.FRAME_BYTES_MAX),
    CHUNK(4, BulkLimits.PIECE_BYTES),
    ANSWER(5, BulkLimits.FRAME_BYTES_MAX),
    END(6, 0),
    FAILURE(7, BulkLimits.FRAME_BYTES_MAX),
    /** Sign of life while a slow disk operation delays the response. */
    WORKING(8, 0);

    /** Number of bytes before the body of a frame that is not a chunk. */
    static final int HEAD_BYTES = Integer.BYTES + 1;

    /** Number of bytes before the body of a chunk. */
    static final int CHUNK_HEAD_BYTES = HEAD_BYTES + Integer.BYTES;

    private static final BulkFrameKind[] BY_CODE = new BulkFrameKind[9];

    static {
        for (BulkFrameKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;
    private final int bytesMax;

    BulkFrameKind(int code, int bytesMax) {
        this.code = code;
        this.bytesMax = bytesMax;
    }

    static BulkFrameKind of(int code) throws MalformedFrame {
        BulkFrameKind kind = code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (kind == null) {
            throw new MalformedFrame("frame of kind " + code + " (expected: 1 to " + (BY_CODE.length - 1) + ")");
        }
        return kind;
    }

    /**
     * Returns {@code length}, the length of the body of a frame of this kind. Throws if it is negative or too large, or
     * if a chunk is empty.
     */
    int requireLength(int length) throws MalformedFrame {
        if (length < 0 || length > bytesMax || (this == CHUNK && length == 0)) {
            throw new MalformedFrame(
                    this + " of " + Integer.toUnsignedString(length) + " bytes (expected: at most " + bytesMax + ")");
        }
        return length;
    }

    /**
     * Writes the head of a frame of this kind to {@code out}: {@code length}, the length of its body, and the number
     * that stands for the kind on the wire.
     */
    ByteBuf begin(ByteBuf out, int length) {
        return out.writeInt(length).writeByte(code);
    }
}
