package dev.hearth.api;

/** A failure that says what to do about it: a stable code, and a message that can be shown to a person as it is. */
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

    /** The same failure, marked as one that comes again however often it is tried: a task that fails with it is not retried. */
    public HearthException permanent() {
        return new HearthException(this);
    }

    /** Whether it was marked by {@link #permanent}. */
    public boolean isPermanent() {
        return permanent;
    }

    /** The stable name of this kind of failure, as listed in docs/errors.md. */
    public String code() {
        return code;
    }
}
