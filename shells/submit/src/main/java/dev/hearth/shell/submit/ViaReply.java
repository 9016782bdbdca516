package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.JsonReader;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import java.io.IOException;
import java.util.Arrays;
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
    /** Maximum number of characters that are quoted from a server of another protocol. */
    private static final int WORDS_MAX = 300;

    private static final String PREFIX = "Malformed request: ";

    /** Reply in place of one that {@code failure} has lost; the request may be repeated. */
    static ViaReply lost(IOException failure) {
        return new ViaReply(UNAVAILABLE, "", OptionalLong.empty(), String.valueOf(failure));
    }

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
            throw unauthorized(server);
        }
        Map<String, Object> fields = fields().orElseThrow(
                        () -> ErrorCode.PROTOCOL_MISMATCH.failure("server " + server + ": answers with HTTP status "
                                + status + words()
                                + ", and no message about submissions (expected: the port of bin/hearth serve or of a"
                                + " master); check --via"));
        if (status >= BAD_REQUEST) {
            throw refusal(fields);
        }
        return fields;
    }

    private HearthException refusal(Map<String, Object> fields) {
        String message = ViaReply.text(fields, "message");
        String plain = message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
        return code(error)
                .orElse(status == UNAVAILABLE ? ErrorCode.SUBMISSION_REFUSED : ErrorCode.BAD_ARGUMENT)
                .failure(plain);
    }

    /** Line of text of a server that speaks another protocol, such as that it encrypts; empty for pages. */
    private String words() {
        String line = PrintableText.line(message().strip());
        return line.isEmpty() || line.startsWith("<") || line.length() > WORDS_MAX ? "" : " '" + line + "'";
    }

    private static Optional<ErrorCode> code(String name) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst();
    }

    private Map<String, Object> aboutAFile() {
        try {
            return JsonReader.readObject(text);
        } catch (IllegalArgumentException other) {
            return Map.of();
        }
    }

    /** The message of an answer about a file; all of the answer if it has none. */
    String message() {
        String message = ViaReply.text(aboutAFile(), "message");
        return message.isEmpty() ? text : message;
    }

    /** The failure of a request to take {@code file}, in the words of {@code server} if it has any. */
    HearthException refusal(String file, String server) {
        if (isUnauthorized()) {
            return unauthorized(server);
        }
        Optional<ErrorCode> code = code(ViaReply.text(aboutAFile(), "code"));
        if (code.isPresent()) {
            return code.get().failure(message());
        }
        return ErrorCode.PROTOCOL_MISMATCH.failure(
                file + ": not sent, as " + server + " answers with HTTP status " + status + words()
                        + ", and takes no files (expected: bin/hearth serve or a master of this version); name another one by"
                        + " --via, or set hearth.submit.upload=never if the machine of the driver has the file");
    }

    private HearthException unauthorized(String server) {
        return ErrorCode.NOT_AUTHENTICATED.failure(
                "server " + server + ": refuses the request with HTTP status " + status
                        + " (expected: a token that it accepts); name the file with its token by hearth.rest.token.file, or set"
                        + " HEARTH_REST_TOKEN");
    }

    /** Text of a field; empty if it is missing. */
    static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
