package dev.hearth.kernel.internal.deploy;

/** Failure of a start because a bundle that must start before is missing. The message is for people. */
final class NeedMissingException extends Exception {
    private static final long serialVersionUID = 1L;

    NeedMissingException(String message) {
        super(message);
    }
}
