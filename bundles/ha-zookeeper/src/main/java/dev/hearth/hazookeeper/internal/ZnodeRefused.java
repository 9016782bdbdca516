package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.error.Failures;

/** Failure of a request to an ensemble. */
final class ZnodeRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Why why;

    ZnodeRefused(Why why, String text) {
        super(text);
        this.why = why;
    }

    /** Reason of a failure, as far as callers distinguish it. */
    enum Why {
        /** The connection is lost; the request may have been carried out. */
        DISCONNECTED,
        /** The session has ended. */
        EXPIRED,
        MISSING,
        EXISTS,
        VERSION,
        FORBIDDEN,
        OTHER
    }

    Why why() {
        return why;
    }

    /** The reason of {@code failure}. */
    static Why of(Throwable failure) {
        return Failures.unwrap(failure) instanceof ZnodeRefused refused ? refused.why : Why.OTHER;
    }
}
