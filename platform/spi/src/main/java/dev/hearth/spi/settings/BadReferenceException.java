package dev.hearth.spi.settings;

/**
 * Failure to resolve the references in a setting's value: a key is not set, or the references form a circle or are too
 * many. The message is one line for the user.
 */
final class BadReferenceException extends Exception {
    private static final long serialVersionUID = 1L;

    BadReferenceException(String line) {
        super(line, null, false, false);
    }

    String line() {
        return String.valueOf(getMessage());
    }
}
