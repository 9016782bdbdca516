package dev.hearth.rest.internal;

/** Refusal of a request: its HTTP status, and the message of the ErrorResponse. It has no stack trace. */
final class V1Refusal extends Exception {
    /** Status of an unknown version of the protocol. */
    static final int UNKNOWN_VERSION = 468;

    static final int BAD_REQUEST = 400;
    private static final long serialVersionUID = 1L;

    private final int status;

    V1Refusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    static V1Refusal malformed(String why) {
        return new V1Refusal(BAD_REQUEST, V1Texts.malformed(why));
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
