package dev.hearth.spi.http;

import dev.hearth.spi.net.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Complete HTTP request. {@code path} is decoded, normalised (no {@code //}, {@code .} or {@code ..}) and begins with
 * {@code prefix}. Header names are in lower case. Immutable.
 */
public record HttpRequest(
        String method,
        String path,
        String prefix,
        Map<String, List<String>> query,
        Map<String, List<String>> headers,
        Bytes body,
        String remote,
        boolean secure) {
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
