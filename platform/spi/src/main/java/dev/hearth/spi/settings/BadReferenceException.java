package dev.hearth.spi.settings;

/**
 * Failure to resolve a reference in a setting's value, because it is unset or circular. The message is one line for the
 * user.
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
