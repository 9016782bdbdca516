package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;

/**
 * Validates stream names, which are relative paths without segments such as {@code ..}. Used by the requesting and the
 * serving process. Stateless.
 */
final class StreamNames {
    private static final String RULE =
            "a path such as jars/app.jar, of at most " + BulkLimits.NAME_CHARS_MAX + " characters, without . and ..";

    private StreamNames() {}

    /** Returns {@code name}, the name of a stream, without a trailing slash. Throws if it is invalid or empty. */
    static String require(String name) {
        String path = requireDirectory(name);
        if (path.isEmpty()) {
            throw refusal(name);
        }
        return path;
    }

    /**
     * Returns the name of a directory without a trailing slash; throws if it is invalid. The empty name is the root
     * directory.
     */
    static String requireDirectory(String name) {
        if (name.length() > BulkLimits.NAME_CHARS_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "stream name: " + name.length() + " characters (expected: " + RULE + ")");
        }
        String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        if (path.isEmpty() && name.isEmpty()) {
            return path;
        }
        for (String segment : path.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || !plain(segment)) {
                throw refusal(name);
            }
        }
        return path;
    }

    /** Returns the name without control characters, for error texts. */
    static String shown(String name) {
        StringBuilder shown = new StringBuilder();
        name.chars().forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
        return "'" + shown + "'";
    }

    private static boolean plain(String segment) {
        return segment.chars().noneMatch(c -> Character.isISOControl(c) || c == '\\');
    }

    private static RuntimeException refusal(String name) {
        return ErrorCode.BAD_ARGUMENT.failure("stream name: " + shown(name) + " (expected: " + RULE + ")");
    }
}
