package dev.hearth.spi.application;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;

/**
 * Bundle in the exact version that all executors of one application must run; {@code content} and {@code bytes} are the
 * hash and the size of its jar.
 */
public record FrozenBundle(String name, String version, ContentId content, long bytes) {
    /** Reads a text that {@link #text} wrote; fails with {@code BAD_ARGUMENT}. */
    public static FrozenBundle parse(String text) {
        String[] words = text.split(" ", -1);
        try {
            return new FrozenBundle(words[0], words[1], new ContentId(words[2]), Long.parseLong(words[3]));
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "bundle '" + text + "' (expected: name, version, hash and size, separated by blanks)", malformed);
        }
    }

    /** Text form for orders and messages. */
    public String text() {
        return String.join(" ", name, version, content.sha256(), String.valueOf(bytes));
    }

    @Override
    public String toString() {
        return name + " " + version;
    }
}
