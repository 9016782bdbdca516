package dev.hearth.rest.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Header {@code Content-Range} of a piece of a file: the offsets of its first and last byte, and the size of the file. The
 * last byte of an empty file is -1.
 */
record ContentRange(long first, long last, long total) {
    private static final String EMPTY = "bytes */0";
    private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    /** Parses a header; empty if it is malformed or describes no part of a file. */
    static Optional<ContentRange> parse(String header) {
        if (header.strip().equals(EMPTY)) {
            return Optional.of(new ContentRange(0, -1, 0));
        }
        Matcher form = FORM.matcher(header.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        ContentRange range = new ContentRange(
                Long.parseLong(form.group(1)), Long.parseLong(form.group(2)), Long.parseLong(form.group(3)));
        return Optional.of(range).filter(read -> read.first <= read.last && read.last < read.total);
    }

    long bytes() {
        return last - first + 1;
    }
}
