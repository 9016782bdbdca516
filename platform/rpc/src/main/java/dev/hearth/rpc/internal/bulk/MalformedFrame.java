package dev.hearth.rpc.internal.bulk;

/** Bytes that the bulk lane has no meaning for; the connection they came over is closed. */
final class MalformedFrame extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says what was found, and what was expected. */
    MalformedFrame(String message) {
        super(message, null, false, false); // made in numbers when somebody sends rubbish: no stack
    }
}
