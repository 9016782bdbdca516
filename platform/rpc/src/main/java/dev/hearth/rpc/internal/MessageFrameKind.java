package dev.hearth.rpc.internal;

/** Kinds of frames of the message lane. The codes are part of the protocol. */
enum MessageFrameKind {
    SEND(1),
    ASK(2),
    ANSWER(3),
    FAILURE(4),
    /** Asks whether the other side is alive. */
    PING(5),
    PONG(6);

    private static final MessageFrameKind[] ALL = values();

    private final int code;

    MessageFrameKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Whether the code is known, as {@link #of} requires. */
    static boolean isKnown(int code) {
        return code >= 1 && code <= ALL.length;
    }

    static MessageFrameKind of(int code) {
        return ALL[code - 1];
    }
}
