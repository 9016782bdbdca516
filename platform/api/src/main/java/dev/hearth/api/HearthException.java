package dev.hearth.api;

/** The exception that Hearth throws, with a stable error code and a message that advises the user. */
public final class HearthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final boolean permanent;

    public HearthException(String code, String message) {
        super(message);
        this.code = code;
        this.permanent = false;
    }

    public HearthException(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.permanent = false;
    }

    private HearthException(HearthException same) {
        super(same.getMessage(), same.getCause());
        this.code = same.code;
        this.permanent = true;
        setStackTrace(same.getStackTrace());
    }

    /** A copy of this exception, marked as permanent: a task that fails with it is not retried. */
    public HearthException permanent() {
        return new HearthException(this);
    }

    /** Whether this exception is marked as permanent, so that a task that fails with it is not retried. */
    public boolean isPermanent() {
        return permanent;
    }

    /** The stable error code, as listed in docs/errors.md. */
    public String code() {
        return code;
    }
}
