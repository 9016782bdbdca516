package dev.hearth.rpc.internal.bulk;

/** Invalid bytes on a bulk connection; the connection is closed. */
final class MalformedFrame extends Exception {
    private static final long serialVersionUID = 1L;

    /** {@code message} states what was found and what was expected. */
    MalformedFrame(String message) {
        super(message, null, false, false); // no stack trace: a hostile peer can cause many
    }
}
