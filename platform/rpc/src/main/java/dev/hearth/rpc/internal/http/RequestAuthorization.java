package dev.hearth.rpc.internal.http;

import dev.hearth.spi.net.AddressRange;
import dev.hearth.spi.rpc.HttpTrust;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether a request is served: by its bearer token or, without a token, by its host and origin. Stateless.
 *
 * <p>Without a token, foreign web pages in a local browser must not gain access. They must not reach a local port under
 * a foreign host name (DNS rebinding), and must not change anything.
 */
final class RequestAuthorization {
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "WWW-Authenticate";

    private final HttpLaneSettings conditions;

    RequestAuthorization(HttpLaneSettings conditions) {
        this.conditions = conditions;
    }

    /**
     * Refuses a request to {@code host}, a foreign name of this server, if names are restricted: by
     * {@code hearth.rest.allowedHosts}, or because only this machine can reach the port and no token is required.
     */
    void checkHost(String host) throws RequestRefused {
        HttpTrust trust = conditions.settings().trust();
        boolean restricted =
                conditions.guardsLoopback() || !trust.allowedHosts().isEmpty();
        if (restricted && !host.isEmpty() && !isOurs(hostOf(host)) && !isAllowed(hostOf(host), trust)) {
            throw HttpError.MISDIRECTED_REQUEST.refused("header Host: '" + host
                    + "' (expected: localhost, a loopback address, or the advertised host of this process);"
                    + " to be reached by other names, set hearth.rest.allowedHosts"
                    + (conditions.guardsLoopback() ? ", or hearth.rest.token" : ""));
        }
    }

    /**
     * Refuses changes requested by a web page of another site than {@code host}, the name of this server. Such a page cannot know the token, so a request with the
     * token passes.
     */
    void checkOrigin(RequestHead head, String host) throws RequestRefused {
        if (head.isSafe() || showsToken(head)) {
            return;
        }
        Optional<String> site = head.header("sec-fetch-site");
        if (site.isPresent() && !site.get().equals("same-origin") && !site.get().equals("none")) {
            throw foreignPage("Sec-Fetch-Site", site.get());
        }
        Optional<String> origin = head.header("origin");
        if (origin.isPresent() && !isSame(origin.get(), host)) {
            throw foreignPage("Origin", origin.get());
        }
    }

    /**
     * Whether the sender of a request may use handlers that are not public: it shows the token, anonymous requests are
     * allowed, or authentication is off.
     */
    boolean admits(RequestHead head) {
        boolean asks = conditions.security().httpToken().isPresent()
                || conditions.security().secret().isPresent();
        return !asks || conditions.security().httpAnonymous() || showsToken(head);
    }

    /**
     * Creates the refusal for a request that {@link #admits} rejects: status 401, or 403 if this process has no HTTP
     * token.
     */
    RequestRefused refusal(RequestHead head) {
        if (conditions.security().httpToken().isEmpty()) {
            return HttpError.FORBIDDEN.refused("authentication is on, and no HTTP token is set (expected: one);"
                    + " set hearth.rest.token.file, or hearth.rest.anonymous=true to serve requests without a token");
        }
        boolean wrong = head.headers().containsKey("authorization");
        return HttpError.UNAUTHORIZED
                .refused((wrong ? "header Authorization: not the token" : "no token")
                        + " (expected: Authorization: Bearer, with the token of hearth.rest.token)")
                .with(CHALLENGE, "Bearer realm=\"hearth\"" + (wrong ? ", error=\"invalid_token\"" : ""));
    }

    /**
     * Whether a request has the HTTP token of this process in its Authorization header; false if the process has no
     * token.
     */
    boolean showsToken(RequestHead head) {
        Optional<Secret> token = conditions.security().httpToken();
        List<String> shown = head.headers().getOrDefault("authorization", List.of());
        if (token.isEmpty() || shown.size() != 1 || !shown.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] bytes = shown.get(0).substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(token.get().key(), bytes); // in constant time
    }

    private boolean isOurs(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.matches("127(\\.\\d{1,3}){3}")
                || conditions
                        .settings()
                        .listen()
                        .map(RpcSettings.Listen::advertisedHost)
                        .filter(host::equalsIgnoreCase)
                        .isPresent();
    }

    private boolean isAllowed(String host, HttpTrust trust) {
        return trust.allows(host)
                || (!conditions.guardsLoopback() && AddressRange.address(host).isPresent());
    }

    private static RequestRefused foreignPage(String header, String value) {
        return HttpError.FORBIDDEN.refused("header " + header + ": '" + value
                + "' (expected: a page of this server, as the request changes something and shows no token)");
    }

    private static boolean isSame(String origin, String host) {
        int begin = origin.indexOf("://");
        return begin > 0 && !host.isEmpty() && origin.substring(begin + 3).equalsIgnoreCase(host);
    }

    /** Returns the host name without port, brackets and trailing dot. */
    private static String hostOf(String authority) {
        String host = authority.toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            return end < 0 ? host : host.substring(1, end);
        }
        int colon = host.indexOf(':');
        String name = colon < 0 ? host : host.substring(0, colon);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
