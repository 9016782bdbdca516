package dev.hearth.spi.http;

import dev.hearth.spi.net.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Complete HTTP request. {@code path} is decoded, normalised (no {@code //}, {@code .} or {@code ..}) and begins with
 * {@code prefix}. Header names are in lower case; {@code X-Forwarded-*} headers are removed, because their contents are
 * in {@code remote}, {@code secure} and {@code client} if they come from a trusted proxy. Immutable.
 */
public record HttpRequest(
        String method,
        String path,
        String prefix,
        Map<String, List<String>> query,
        Map<String, List<String>> headers,
        Bytes body,
        String remote,
        boolean secure,
        Client client) {
    /** Creates a request of a client of which only the address is known. */
    public HttpRequest(
            String method,
            String path,
            String prefix,
            Map<String, List<String>> query,
            Map<String, List<String>> headers,
            Bytes body,
            String remote,
            boolean secure) {
        this(method, path, prefix, query, headers, body, remote, secure, Client.UNKNOWN);
    }

    /**
     * Facts about a client: the {@code user}, as a gate or a trusted proxy names it; the {@code host} and
     * optional port by which the client addresses the server; and the path {@code base} below which a proxy publishes
     * the server. All are empty if unknown.
     */
    public record Client(String user, String host, String base) {
        public static final Client UNKNOWN = new Client("", "", "");
    }

    /** The absolute path {@code path} of this server as its client sees it, also if a proxy publishes it. */
    public String link(String path) {
        return client.base() + path;
    }

    /** The part of {@code path} after {@code prefix}, without a leading slash; empty if the path is the prefix. */
    public String rest() {
        String rest = path.substring(Math.min(path.length(), prefix.length()));
        return rest.startsWith("/") ? rest.substring(1) : rest;
    }

    public Optional<String> header(String name) {
        return first(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    public Optional<String> parameter(String name) {
        return first(query.get(name));
    }

    private static Optional<String> first(@Nullable List<String> values) {
        return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }
}
