package dev.hearth.api;

/** A failure that says what to do about it: a stable code, and a message that can be shown to a person as it is. */
public final class HearthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public HearthException(String code, String message) {
        super(message);
        this.code = code;
    }

    public HearthException(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The stable name of this kind of failure, as listed in docs/errors.md. */
    public String code() {
        return code;
    }
}
