package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;

/** What a frame of the bulk lane is. On the wire: four bytes of length, this code, for a chunk its CRC32C, the body. */
enum BulkFrameKind {
    FETCH(1, BulkLimits.FRAME_BYTES_MAX),
    LIST(2, BulkLimits.FRAME_BYTES_MAX),
    OFFER(3, BulkLimits.FRAME_BYTES_MAX),
    CHUNK(4, BulkLimits.PIECE_BYTES),
    ANSWER(5, BulkLimits.FRAME_BYTES_MAX),
    END(6, 0),
    FAILURE(7, BulkLimits.FRAME_BYTES_MAX),
    /** The answer takes its time: a disk is at work. */
    WORKING(8, 0);

    /** The bytes before the body of a frame that is no chunk. */
    static final int HEAD_BYTES = Integer.BYTES + 1;

    /** The bytes before the body of a chunk. */
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

    /** The length of a body, if it is one that this kind may have. */
    int requireLength(int length) throws MalformedFrame {
        if (length < 0 || length > bytesMax || (this == CHUNK && length == 0)) {
            throw new MalformedFrame(
                    this + " of " + Integer.toUnsignedString(length) + " bytes (expected: at most " + bytesMax + ")");
        }
        return length;
    }

    /** Begins a frame whose body has {@code length} bytes. */
    ByteBuf begin(ByteBuf out, int length) {
        return out.writeInt(length).writeByte(code);
    }
}
