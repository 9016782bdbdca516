package dev.hearth.rpc.internal.connect;

import dev.hearth.rpc.internal.codec.WireFault;
import dev.hearth.rpc.internal.codec.WireInput;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Optional;

/**
 * Frame of the handshake, between the preambles and the first message: a length of two bytes, a kind and its content.
 * It does not use the message codec, because no message is decoded before authentication.
 */
record HandshakeFrame(Kind kind, WireInput body) {
    private static final int BYTES_MAX = 4 * 1024;

    /**
     * Reads a complete frame. Returns empty if more bytes are needed. Throws if the bytes cannot be the start of a
     * frame.
     */
    static Optional<HandshakeFrame> read(ByteBuf in) {
        if (in.readableBytes() < Short.BYTES) {
            return Optional.empty();
        }
        int length = in.getUnsignedShort(in.readerIndex());
        if (length < 1 || length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a handshake of " + length + " bytes (expected: 1 to " + BYTES_MAX + ")");
        }
        if (in.readableBytes() - Short.BYTES < length) {
            return Optional.empty();
        }
        byte[] content = new byte[length];
        in.skipBytes(Short.BYTES).readBytes(content);
        for (Kind kind : Kind.values()) {
            if (kind.code == content[0]) {
                return Optional.of(new HandshakeFrame(kind, new WireInput(content, 1, length)));
            }
        }
        throw new IllegalArgumentException("a handshake of kind " + content[0] + " (expected: 1 to 5)");
    }

    /** Creates the frame that refuses a connection, with an error code and the reason. */
    static ByteBuf refusal(ChannelHandlerContext context, ErrorCode code, String reason) {
        return write(context, Kind.REFUSAL, out -> {
            out.putText(code.name());
            out.putText(reason);
        });
    }

    static ByteBuf write(ChannelHandlerContext context, Kind kind, Content content) {
        WireOutput out = new WireOutput(BYTES_MAX);
        out.putByte(kind.code);
        content.write(out);
        return context.alloc()
                .buffer(Short.BYTES + out.size())
                .writeShort(out.size())
                .writeBytes(out.array(), 0, out.size());
    }

    /** Kind of a handshake frame. Its code is the number that stands for it on the wire, and so must not change. */
    enum Kind {
        /** Sent by the connecting process: the requested scope, without an offer of a mutual proof. */
        HELLO(1),
        /** Sent by the accepting process: the connection is accepted, and messages may follow. */
        WELCOME(2),
        /** Sent by the accepting process: the connection is refused, with an error code and the reason. */
        REFUSAL(3),
        /** Sent by the connecting process: the requested scope, with the offer of a mutual proof. */
        PROVING_HELLO(4),
        /** Sent by the accepting process: it requires the mutual proof, whose frames follow. */
        PROVE(5);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** Function that writes the content of a handshake frame, after its length and kind. */
    interface Content {
        void write(WireOutput out) throws WireFault;
    }
}
