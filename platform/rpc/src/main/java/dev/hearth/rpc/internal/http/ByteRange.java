package dev.hearth.rpc.internal.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requested range of a response: {@code length} bytes from position {@code first} on. The length is 0 if the range
 * cannot be satisfied.
 */
record ByteRange(long first, long length) {
    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*(\\d{0,18})-(\\d{0,18})\\s*");
    private static final ByteRange NONE = new ByteRange(0, 0);

    /**
     * Parses {@code header}, the Range header of a request for content of {@code size} bytes. Returns empty if it is
     * not a single byte range; then the whole content is sent.
     */
    static Optional<ByteRange> parse(String header, long size) {
        Matcher matcher = SINGLE.matcher(header);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String from = matcher.group(1);
        String to = matcher.group(2);
        if (from.isEmpty()) {
            return to.isEmpty() ? Optional.empty() : Optional.of(last(Long.parseLong(to), size));
        }
        long first = Long.parseLong(from);
        long last = to.isEmpty() ? Long.MAX_VALUE : Long.parseLong(to);
        if (last < first) {
            return Optional.empty();
        }
        return Optional.of(first >= size ? NONE : new ByteRange(first, Math.min(last, size - 1) - first + 1));
    }

    boolean isNone() {
        return length == 0;
    }

    /** Returns the value of the Content-Range header for this range of a content of {@code size} bytes. */
    String of(long size) {
        return isNone() ? "bytes */" + size : "bytes " + first + "-" + (first + length - 1) + "/" + size;
    }

    private static ByteRange last(long bytes, long size) {
        long length = Math.min(bytes, size);
        return length == 0 ? NONE : new ByteRange(size - length, length);
    }
}
