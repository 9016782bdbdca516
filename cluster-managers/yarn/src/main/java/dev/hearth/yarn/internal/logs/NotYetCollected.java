package dev.hearth.yarn.internal.logs;

import java.io.IOException;

/** Reason why a log is not there yet: its application has just ended, and nodes still collect. */
final class NotYetCollected extends IOException {
    private static final long serialVersionUID = 1L;

    NotYetCollected(String message) {
        super(message);
    }
}
