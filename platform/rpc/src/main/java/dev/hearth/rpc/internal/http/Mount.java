package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP handler with the path prefix at which it is served. Of several handlers at one prefix, the highest {@code
 * ranking} wins; at equal ranking, the lowest {@code order}. Of two versions of one bundle, the one installed last wins
 * at equal ranking. {@code open} means that requests need no token. {@code owner} names the bundle or class for display.
 * Immutable.
 */
record Mount(
        String prefix,
        HttpHandler handler,
        boolean open,
        OptionalInt bodyBytesMax,
        int ranking,
        long order,
        String owner,
        Origin origin) {
    private static final Logger LOG = LoggerFactory.getLogger(Mount.class);

    /** Bundle that registered a handler: its symbolic name, which is empty if it is not known, and its OSGi id. */
    record Origin(String name, long bundle) {
        static final Origin UNKNOWN = new Origin("", -1);

        /** Whether both are installations of one bundle, of which one replaces the other. */
        boolean isOtherVersionOf(Origin other) {
            return !name.isEmpty() && name.equals(other.name) && bundle != other.bundle;
        }
    }

    /** Creates the mount of a handler that no bundle registered. */
    Mount(String prefix, HttpHandler handler, boolean open, OptionalInt bodyBytesMax, long order, String owner) {
        this(prefix, handler, open, bodyBytesMax, 0, order, owner, Origin.UNKNOWN);
    }

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

    /** Whether requests for {@code path} need no token. */
    boolean isOpen(String path) {
        try {
            return open || handler.isOpen(path);
        } catch (RuntimeException failure) { // of another bundle: the path stays closed
            LOG.warn("HTTP prefix {}: {} does not say whether {} is open", prefix, owner, path, failure);
            return false;
        }
    }

    /** Returns the handler's own response to a request that the server refuses, if it has one in memory. */
    Optional<HttpAnswer> refusal(int status, String message) {
        try {
            return handler.refusal(status, message).filter(answer -> answer.content() instanceof HttpAnswer.Whole);
        } catch (RuntimeException failure) { // of another bundle: the server's own response is sent
            LOG.warn("HTTP prefix {}: {} cannot word a refusal", prefix, owner, failure);
            return Optional.empty();
        }
    }

    /** Whether this handler takes precedence over {@code other} at the same prefix. */
    boolean outranks(Mount other) {
        if (ranking != other.ranking) {
            return ranking > other.ranking;
        }
        return origin.isOtherVersionOf(other.origin) ? origin.bundle > other.origin.bundle : order < other.order;
    }

    /** Whether this handler and {@code other} are of two versions of one bundle, of which the newer one takes over. */
    boolean isOtherVersionOf(Mount other) {
        return ranking == other.ranking && origin.isOtherVersionOf(other.origin);
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
