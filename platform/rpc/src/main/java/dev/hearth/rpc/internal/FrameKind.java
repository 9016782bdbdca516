package dev.hearth.rpc.internal;

import java.util.Optional;

/** What a frame is for. The codes are part of the protocol. */
enum FrameKind {
    SEND(1),
    ASK(2),
    ANSWER(3),
    FAILURE(4);

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Optional<FrameKind> of(int code) {
        for (FrameKind kind : values()) {
            if (kind.code == code) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
