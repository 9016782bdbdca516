package dev.hearth.spi.settings;

/** A value that refers to what is not there, or to itself. The message is the line for a person. */
final class BadReferenceException extends Exception {
    private static final long serialVersionUID = 1L;

    BadReferenceException(String line) {
        super(line, null, false, false);
    }

    String line() {
        return String.valueOf(getMessage());
    }
}
