package dev.hearth.rpc.internal.http;

import java.util.EnumSet;

/**
 * What a connection is doing. A request goes from {@code IDLE} by {@code HEAD}, {@code BODY}, {@code HANDLING} to
 * {@code ANSWERING} and back; whatever is refused goes to {@code ANSWERING} at once.
 */
enum HttpConnectionState {
    IDLE,
    HEAD,
    BODY,
    HANDLING,
    ANSWERING,
    /** Events are sent; nothing is read any more. */
    STREAMING,
    /** Answered before all was read: what still comes is thrown away for a moment, or the answer would be lost. */
    LINGERING,
    CLOSED;

    boolean leadsTo(HttpConnectionState next) {
        return switch (this) {
            case IDLE -> EnumSet.of(HEAD, CLOSED).contains(next);
            case HEAD -> EnumSet.of(BODY, ANSWERING, CLOSED).contains(next);
            case BODY -> EnumSet.of(HANDLING, ANSWERING, CLOSED).contains(next);
            case HANDLING -> EnumSet.of(ANSWERING, CLOSED).contains(next);
            case ANSWERING -> EnumSet.of(IDLE, STREAMING, LINGERING, CLOSED).contains(next);
            case STREAMING, LINGERING -> next == CLOSED;
            case CLOSED -> false;
        };
    }
}
