package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.nio.ByteBuffer;

/** Failure of a bulk request as sent over the network: an error code and a text. */
record BulkFailure(ErrorCode code, String text) {
    // the index of a code is its number on the wire, so the order must not change; new codes are added at the end
    private static final ErrorCode[] BY_NUMBER = {
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

    /**
     * Converts a failure for the remote process. Hearth's own failures are sent unchanged. For any other exception, the
     * text only refers to the log of this process, because the exception's message may be confidential.
     */
    static BulkFailure of(String subject, Throwable failure) {
        return Failures.unwrap(failure) instanceof HearthException known
                ? new BulkFailure(Failures.code(known), String.valueOf(known.getMessage()))
                : new BulkFailure(
                        ErrorCode.INTERNAL,
                        subject + ": failed (expected: a response); see the log of the serving process");
    }

    HearthException asException() {
        return code.failure(text);
    }

    byte[] body() {
        int number = 0; // codes without a number on the wire are sent as INTERNAL
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
