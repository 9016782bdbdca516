package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpHandler;
import java.util.OptionalInt;

/**
 * HTTP handler with the path prefix at which it is served. Of several handlers at one prefix, the highest {@code
 * ranking} wins; at equal ranking, the lowest {@code order}. {@code open} means that requests need no token. {@code
 * owner} names the bundle or class for display. Immutable.
 */
record Mount(
        String prefix,
        HttpHandler handler,
        boolean open,
        OptionalInt bodyBytesMax,
        int ranking,
        long order,
        String owner) {
    Mount {
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException("HTTP prefix '" + prefix + "' of " + owner
                    + " (expected: / or a normal path such as /api/v1, without a slash at its end)");
        }
    }

    /** Whether {@code path} is the prefix or below it; only whole path segments match. */
    boolean answers(String path) {
        return prefix.equals("/")
                || (path.startsWith(prefix)
                        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/'));
    }

    /** Whether this handler takes precedence over {@code other} at the same prefix. */
    boolean outranks(Mount other) {
        return ranking != other.ranking ? ranking > other.ranking : order < other.order;
    }

    private static boolean isPrefix(String text) {
        if (text.equals("/")) {
            return true;
        }
        try {
            return text.startsWith("/")
                    && !text.endsWith("/")
                    && text.indexOf('?') < 0
                    && RequestTarget.parse(text).path().equals(text);
        } catch (RequestRefused notAPath) {
            return false;
        }
    }
}
