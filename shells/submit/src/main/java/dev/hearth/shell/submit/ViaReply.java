package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.JsonReader;
import dev.hearth.spi.error.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Response of the process through which submissions go. {@code error} is the code of its refusal, if it names one,
 * {@code offset} the number of bytes of a file that it has. Immutable.
 */
record ViaReply(int status, String error, OptionalLong offset, String text) {
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final String PREFIX = "Malformed request: ";

    /** Whether the server wants another token. */
    boolean isUnauthorized() {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    /** Whether the same request may succeed soon. */
    boolean isBusy() {
        return status == UNAVAILABLE;
    }

    /** The fields of the message; empty if the server speaks another protocol. */
    Optional<Map<String, Object>> fields() {
        try {
            Map<String, Object> fields = JsonReader.readObject(text);
            return fields.containsKey("action") ? Optional.of(fields) : Optional.empty();
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }

    /** The fields of a success. Fails as the request did, with a message about {@code server}. */
    Map<String, Object> success(String server) {
        if (isUnauthorized()) {
            throw ErrorCode.NOT_AUTHENTICATED.failure("server " + server + ": refuses the request with HTTP status "
                    + status + " (expected: a token that it accepts); name the file with its token by"
                    + " hearth.rest.token.file, or set HEARTH_REST_TOKEN");
        }
        Map<String, Object> fields = fields().orElseThrow(() ->
                ErrorCode.PROTOCOL_MISMATCH.failure("server " + server + ": answers with HTTP status "
                        + status + " and no message about submissions (expected: the port of bin/hearth serve or of a"
                        + " master); check --via"));
        if (status >= BAD_REQUEST) {
            throw refusal(fields);
        }
        return fields;
    }

    private HearthException refusal(Map<String, Object> fields) {
        String message = ViaReply.text(fields, "message");
        String plain = message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(error)) {
                return code.failure(plain);
            }
        }
        return (status == UNAVAILABLE ? ErrorCode.SUBMISSION_REFUSED : ErrorCode.BAD_ARGUMENT).failure(plain);
    }

    /** Text of a field; empty if it is missing. */
    static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
