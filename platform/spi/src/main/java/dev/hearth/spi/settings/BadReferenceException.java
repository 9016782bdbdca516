package dev.hearth.spi.settings;

/** Reference in a setting's value that is unset or circular. The message is the line to show. */
final class BadReferenceException extends Exception {
    private static final long serialVersionUID = 1L;

    BadReferenceException(String line) {
        super(line, null, false, false);
    }

    String line() {
        return String.valueOf(getMessage());
    }
}
