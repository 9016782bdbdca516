package dev.hearth.yarn.internal.relay;

import dev.hearth.spi.error.ErrorCode;

/** Number of the last message that has arrived from the other side. Owned by the loop of its side. */
final class ReceivedNumbers {
    private long last;

    /** Whether a message with {@code number} is new. Fails if one before it is missing. */
    boolean accepts(long number) {
        if (number <= last) {
            return false;
        }
        if (number != last + 1) {
            throw ErrorCode.MALFORMED_MESSAGE.failure(
                    "message " + number + " of the relay line: after " + last + " (expected: " + (last + 1) + ")");
        }
        last = number;
        return true;
    }

    /** Expects the number 1 again: the other side is a new one. */
    void reset() {
        last = 0;
    }

    long last() {
        return last;
    }
}
