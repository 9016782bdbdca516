package dev.hearth.rpc.internal.http;

import java.util.EnumSet;

/**
 * State of an HTTP connection. A request leads from {@code IDLE} through {@code HEAD}, {@code BODY} and
 * {@code HANDLING} to {@code ANSWERING} and back; a refusal leads to {@code ANSWERING} at once.
 */
enum HttpConnectionState {
    IDLE,
    HEAD,
    BODY,
    HANDLING,
    ANSWERING,
    /** Server-sent events are sent to the client; received bytes are ignored. */
    STREAMING,
    /**
     * The response was sent before the request was read completely. Received bytes are discarded for a moment, because
     * closing at once could reset the connection before the client reads the response.
     */
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
