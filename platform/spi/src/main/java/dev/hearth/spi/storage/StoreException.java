package dev.hearth.spi.storage;

import java.io.IOException;

/**
 * Failed operation of a file store whose users can do something about it. The message says in words what the storage
 * answered, {@link #advice} the next step. Callers add the name of the file.
 */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String advice;

    public StoreException(String message, String advice) {
        super(message);
        this.advice = advice;
    }

    public StoreException(String message, String advice, Throwable cause) {
        super(message, cause);
        this.advice = advice;
    }

    /** The text of {@code failure} for a message to users: with the next step, if the store has given one. */
    public static String textOf(IOException failure) {
        return failure instanceof StoreException store ? store.getMessage() + "; " + store.advice : failure.toString();
    }

    /** The next step of the user, as a clause such as {@code check the address}. */
    public String advice() {
        return advice;
    }
}
