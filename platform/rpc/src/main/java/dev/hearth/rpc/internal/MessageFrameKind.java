package dev.hearth.rpc.internal;

/**
 * Kind of a frame on a connection that carries messages. Its code is the number that stands for it on the wire, and so
 * must not change.
 */
enum MessageFrameKind {
    SEND(1),
    ASK(2),
    ANSWER(3),
    FAILURE(4),
    /** Probe of an idle connection, answered by a pong. */
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

    /** Whether {@code code} is the code of a frame kind. {@link #of} must not be called with any other code. */
    static boolean isKnown(int code) {
        return code >= 1 && code <= ALL.length;
    }

    static MessageFrameKind of(int code) {
        return ALL[code - 1];
    }
}
