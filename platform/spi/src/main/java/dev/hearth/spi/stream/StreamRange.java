package dev.hearth.spi.stream;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Range of a stream: from {@code offset}, at most {@code length} bytes. If {@code tag} is present, the fetch fails
 * unless it is the current version tag of the content.
 */
public record StreamRange(long offset, OptionalLong length, Optional<String> tag) {
    public static final StreamRange ALL = new StreamRange(0, OptionalLong.empty(), Optional.empty());

    public StreamRange {
        if (offset < 0 || length.orElse(0) < 0) {
            throw new IllegalArgumentException(
                    "range: offset " + offset + ", length " + length + " (expected: 0 or more)");
        }
    }

    public static StreamRange of(long offset, long length) {
        return new StreamRange(offset, OptionalLong.of(length), Optional.empty());
    }

    /**
     * The rest of a stream from {@code offset} on, to resume an interrupted transfer. The fetch fails if the content no
     * longer has the tag {@code tag}.
     */
    public static StreamRange rest(long offset, String tag) {
        return new StreamRange(offset, OptionalLong.empty(), Optional.of(tag));
    }
}
