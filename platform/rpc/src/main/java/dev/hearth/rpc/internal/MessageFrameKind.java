package dev.hearth.rpc.internal;

/** What a frame is for. The codes are part of the protocol. */
enum MessageFrameKind {
    SEND(1),
    ASK(2),
    ANSWER(3),
    FAILURE(4),
    /** Is anybody there? */
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

    /** Whether a code is one of ours; then {@link #of} gives the kind. */
    static boolean isKnown(int code) {
        return code >= 1 && code <= ALL.length;
    }

    static MessageFrameKind of(int code) {
        return ALL[code - 1];
    }
}
