package dev.hearth.rpc.internal;

/** States of a connection after its handshake; {@link #leadsTo} lists the legal transitions. */
enum ConnectionState {
    /** Frames are sent and received. */
    OPEN,
    /** The connection will be lost. New messages are not sent; messages received until the loss are still delivered. */
    CLOSING,
    /** The channel is closed, asks have failed and endpoints have been notified. Final. */
    LOST;

    boolean leadsTo(ConnectionState next) {
        return switch (this) {
            case OPEN -> next == CLOSING || next == LOST;
            case CLOSING -> next == LOST;
            case LOST -> false;
        };
    }
}
