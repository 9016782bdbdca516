package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireOutput;

/**
 * Encodes frames, except their length prefix, which the {@link Outbox} adds. A control frame consists of its kind only.
 * Any other frame starts with its kind, followed by an ask id, an endpoint name or both. Then comes a message (its
 * number in the protocol and its record), or an error code and a text. Immutable and thread-safe.
 */
final class FrameWriter {
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int FAILURE_TEXT_CHARS_MAX = 16 * 1024;

    private final int frameBytesMax;

    /** Creates a writer of frames of at most {@code frameBytesMax} bytes. */
    FrameWriter(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    WireOutput send(String endpoint, ProtocolCodec codec, Record message) {
        WireOutput out = begin(MessageFrameKind.SEND);
        out.putText(endpoint);
        codec.encode(message, out);
        return out;
    }

    WireOutput ask(long ask, String endpoint, ProtocolCodec codec, Record message) {
        WireOutput out = begin(MessageFrameKind.ASK);
        out.putLong(ask);
        out.putText(endpoint);
        codec.encode(message, out);
        return out;
    }

    WireOutput answer(long ask, ProtocolCodec codec, Record answer) {
        WireOutput out = begin(MessageFrameKind.ANSWER);
        out.putLong(ask);
        codec.encode(answer, out);
        return out;
    }

    WireOutput failure(long ask, String code, String text) {
        String bounded = text.length() <= FAILURE_TEXT_CHARS_MAX
                ? text
                : text.substring(0, FAILURE_TEXT_CHARS_MAX) + "... (" + text.length() + " characters in all)";
        WireOutput out = begin(MessageFrameKind.FAILURE);
        out.putLong(ask);
        out.putText(code);
        out.putText(bounded);
        return out;
    }

    /** Encodes a frame that consists of its kind alone, such as a ping. */
    WireOutput control(MessageFrameKind kind) {
        WireOutput out = new WireOutput(Byte.BYTES);
        out.putByte(kind.code());
        return out;
    }

    private WireOutput begin(MessageFrameKind kind) {
        WireOutput out = new WireOutput(frameBytesMax);
        out.putByte(kind.code());
        return out;
    }
}
