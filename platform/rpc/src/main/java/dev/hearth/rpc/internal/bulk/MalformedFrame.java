package dev.hearth.rpc.internal.bulk;

/** Thrown on invalid bytes on a bulk connection, which is then closed. */
final class MalformedFrame extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. {@code message} states what was found and what was expected. */
    MalformedFrame(String message) {
        super(message, null, false, false); // no stack trace, because a hostile peer can cause many of these exceptions
    }
}
