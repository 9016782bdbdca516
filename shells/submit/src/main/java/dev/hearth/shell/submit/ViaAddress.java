package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.HttpAccess;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Process through which submissions go, by {@code HOST:PORT} or a URL, and the access of this process to it. Immutable.
 */
record ViaAddress(String host, int port, HttpAccess access) {
    private static final int PORT_MAX = 65_535;

    /** Fails with {@code BAD_ARGUMENT} unless {@code text} names a host and a port. */
    static ViaAddress parse(String text, HttpAccess access) {
        try {
            URI uri = new URI(text.contains("://") ? text : access.scheme() + "://" + text);
            boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean plain = uri.getUserInfo() == null
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
            if (known && plain && uri.getHost() != null && uri.getPort() > 0 && uri.getPort() <= PORT_MAX) {
                return new ViaAddress(
                        uri.getHost(), uri.getPort(), uri.getScheme().equals("https") ? access.encrypting() : access);
            }
            throw malformed(text, null);
        } catch (URISyntaxException malformed) {
            throw malformed(text, malformed);
        }
    }

    private static RuntimeException malformed(String text, @Nullable Exception cause) {
        String message = "--via: '" + text + "' (expected: HOST:PORT or https://HOST:PORT of bin/hearth serve or of a"
                + " master)";
        return cause == null ? ErrorCode.BAD_ARGUMENT.failure(message) : ErrorCode.BAD_ARGUMENT.failure(message, cause);
    }

    /** The master that a request names if its user names none; the process then submits to its own. */
    MasterUrl unnamed() {
        return MasterUrl.parse("hearth://" + this);
    }

    URI path(String path) {
        return URI.create(access.scheme() + "://" + this + path);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
