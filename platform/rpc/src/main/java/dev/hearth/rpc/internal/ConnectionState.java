package dev.hearth.rpc.internal;

/** State of a connection after its handshake. {@link #leadsTo} lists the legal transitions. */
enum ConnectionState {
    /** The connection works: frames are sent and received. */
    OPEN,
    /**
     * The connection is about to close. No more messages are sent. Messages that arrive before it closes are still
     * delivered.
     */
    CLOSING,
    /** The channel is closed, pending requests have failed and endpoints have been notified. This state is final. */
    LOST;

    boolean leadsTo(ConnectionState next) {
        return switch (this) {
            case OPEN -> next == CLOSING || next == LOST;
            case CLOSING -> next == LOST;
            case LOST -> false;
        };
    }
}
