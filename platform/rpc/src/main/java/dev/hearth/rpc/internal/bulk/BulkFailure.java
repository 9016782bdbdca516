package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.nio.ByteBuffer;

/** Why a request could not be answered, as it crosses the wire: one of few codes, and a text. */
record BulkFailure(ErrorCode code, String text) {
    private static final ErrorCode[] BY_NUMBER = { // a number keeps its meaning; new ones are added at the end
        ErrorCode.INTERNAL,
        ErrorCode.STREAM_MISSING,
        ErrorCode.STREAM_CHANGED,
        ErrorCode.STREAM_DAMAGED,
        ErrorCode.STORE_FULL,
        ErrorCode.DISK_FAILED,
        ErrorCode.BAD_ARGUMENT,
        ErrorCode.MALFORMED_MESSAGE,
        ErrorCode.PEER_LOST,
        ErrorCode.TOO_MANY_ASKS
    };

    /** A failure as the other side may see it: ours as they are, of others no more than where to look. */
    static BulkFailure of(String subject, Throwable failure) {
        return Failures.unwrap(failure) instanceof HearthException known
                ? new BulkFailure(Failures.code(known), String.valueOf(known.getMessage()))
                : new BulkFailure(
                        ErrorCode.INTERNAL,
                        subject + ": failed there (expected: an answer); the log of that process says why");
    }

    HearthException asException() {
        return code.failure(text);
    }

    byte[] body() {
        int number = 0; // what has no number of its own is an internal failure to the other side
        for (int i = 0; i < BY_NUMBER.length; i++) {
            if (BY_NUMBER[i] == code) {
                number = i;
            }
        }
        int sent = number;
        return BulkWireFormat.body(out -> {
            out.writeByte(sent);
            BulkWireFormat.putText(
                    out,
                    text.length() <= BulkLimits.FAILURE_CHARS_MAX
                            ? text
                            : text.substring(0, BulkLimits.FAILURE_CHARS_MAX));
        });
    }

    static BulkFailure read(ByteBuffer in) throws MalformedFrame {
        int number = Byte.toUnsignedInt(in.get());
        return new BulkFailure(
                number < BY_NUMBER.length ? BY_NUMBER[number] : ErrorCode.INTERNAL,
                BulkWireFormat.text(in, BulkLimits.FAILURE_CHARS_MAX));
    }
}
