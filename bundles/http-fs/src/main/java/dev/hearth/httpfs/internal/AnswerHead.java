package dev.hearth.httpfs.internal;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Begin of an HTTP response: its status and those headers that decide on a transfer. {@code length} is that of the body,
 * if the server has announced it; {@code chunked} says that the body marks its own end. Texts are empty if the header
 * is missing. Immutable.
 */
record AnswerHead(
        int status,
        String reason,
        OptionalLong length,
        boolean chunked,
        String contentRange,
        String tag,
        String changed,
        boolean settled) {
    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");

    /** First byte of the body in the file, and the length of the file if the server knows it. */
    record Range(long from, OptionalLong total) {}

    Optional<Range> range() {
        Matcher matcher = RANGE.matcher(contentRange);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String total = matcher.group(3);
        return Optional.of(new Range(
                Long.parseLong(matcher.group(1)),
                total.equals("*") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(total))));
    }

    /**
     * The value that proves to the server that its file still has the same bytes; empty if the server gave none. A time
     * of change proves it only if the file was {@code settled}, that is, unchanged for a while, when it was sent.
     */
    String strongValidator() {
        if (!tag.isEmpty()) {
            return tag.startsWith("W/") ? "" : tag;
        }
        return settled ? changed : "";
    }

    /** Status and reason, for messages. */
    String statusLine() {
        return reason.isBlank() ? String.valueOf(status) : status + " " + reason;
    }
}
