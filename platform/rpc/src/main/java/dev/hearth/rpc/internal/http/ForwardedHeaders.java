package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.AddressRange;
import dev.hearth.spi.rpc.HttpTrust;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads what a trusted proxy reports about the client of a request in its {@code X-Forwarded-*} headers, and removes
 * these headers from every request. Of several values the last one counts, because the nearest proxy adds it. Stateless.
 */
final class ForwardedHeaders {
    private static final String PREFIX = "x-forwarded-";
    private static final int USER_LENGTH_MAX = 256;
    private static final Pattern USER = Pattern.compile("[^\\p{Cntrl}]{1," + USER_LENGTH_MAX + "}");

    private final HttpTrust trust;

    ForwardedHeaders(HttpTrust trust) {
        this.trust = trust;
    }

    /** The other end of a connection: its address, empty if unknown, its name for display, and whether TLS is on. */
    record Sender(Optional<InetAddress> address, String remote, boolean secure) {}

    /** A client as the server sees it, and the headers of its request without those of proxies. */
    record Seen(String remote, boolean secure, HttpRequest.Client client, Map<String, List<String>> headers) {}

    /** Determines the client of the request {@code head} that came from {@code sender}. */
    Seen read(RequestHead head, Sender sender) throws RequestRefused {
        Map<String, List<String>> headers = head.headers();
        boolean forwarded =
                headers.keySet().stream().anyMatch(name -> name.startsWith(PREFIX) || name.equals("forwarded"));
        if (!forwarded) {
            return new Seen(sender.remote(), sender.secure(), new HttpRequest.Client("", head.host(), ""), headers);
        }
        Map<String, List<String>> others = new LinkedHashMap<>(headers);
        others.keySet().removeIf(name -> name.startsWith(PREFIX) || name.equals("forwarded"));
        if (sender.address().filter(this::isTrusted).isEmpty()) {
            return new Seen(sender.remote(), sender.secure(), new HttpRequest.Client("", head.host(), ""), others);
        }
        Optional<String> scheme = last(headers, "proto");
        return new Seen(
                client(headers).orElse(sender.remote()),
                scheme.isPresent() ? isHttps(scheme.get()) : sender.secure(),
                new HttpRequest.Client(
                        user(headers),
                        checked(last(headers, "host"), RequestHead.HOST, "Host", "a name or address, and a port")
                                .orElse(head.host()),
                        base(headers)),
                others);
    }

    /** The last address that no trusted proxy has; empty if every address is one of theirs or is malformed. */
    private Optional<String> client(Map<String, List<String>> headers) {
        List<String> addresses = values(headers, "for");
        for (int i = addresses.size() - 1; i >= 0; i--) {
            Optional<InetAddress> address = AddressRange.address(withoutPort(addresses.get(i)));
            if (address.isEmpty()) {
                return Optional.empty();
            }
            if (!isTrusted(address.get())) {
                return address.map(InetAddress::getHostAddress);
            }
        }
        return Optional.empty();
    }

    private boolean isTrusted(InetAddress address) {
        return trust.trustedProxies().stream().anyMatch(range -> range.contains(address));
    }

    private static String withoutPort(String address) {
        int colon = address.indexOf(':');
        boolean port = colon > 0 && colon == address.lastIndexOf(':');
        int bracket = address.indexOf(']');
        if (address.startsWith("[") && bracket > 0) {
            return address.substring(0, bracket + 1);
        }
        return port ? address.substring(0, colon) : address;
    }

    private static boolean isHttps(String scheme) throws RequestRefused {
        if (!scheme.equalsIgnoreCase("https") && !scheme.equalsIgnoreCase("http")) {
            throw malformed("Proto", "http or https");
        }
        return scheme.equalsIgnoreCase("https");
    }

    private static String user(Map<String, List<String>> headers) throws RequestRefused {
        List<String> given = headers.getOrDefault(PREFIX + "user", List.of());
        if (given.size() > 1) {
            throw malformed("User", "one name");
        }
        Optional<String> name = given.stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
        return checked(name, USER, "User", "a name of at most " + USER_LENGTH_MAX + " characters")
                .orElse("");
    }

    private static String base(Map<String, List<String>> headers) throws RequestRefused {
        String base = last(headers, "prefix").orElse("");
        String path = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        if (!path.isEmpty() && (!path.startsWith("/") || path.startsWith("//") || !isPath(path))) {
            throw malformed("Prefix", "a path such as /hearth");
        }
        return path;
    }

    private static boolean isPath(String path) {
        try {
            return path.indexOf('?') < 0 && RequestTarget.parse(path).path().equals(path);
        } catch (RequestRefused notAPath) {
            return false;
        }
    }

    private static Optional<String> checked(Optional<String> value, Pattern form, String header, String rule)
            throws RequestRefused {
        if (value.isPresent() && !form.matcher(value.get()).matches()) {
            throw malformed(header, rule);
        }
        return value;
    }

    private static RequestRefused malformed(String header, String rule) {
        return HttpError.BAD_REQUEST.refused("header X-Forwarded-" + header
                + " of a trusted proxy: malformed (expected: " + rule + "); mend the configuration of the proxy");
    }

    private static Optional<String> last(Map<String, List<String>> headers, String name) {
        List<String> values = values(headers, name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }

    private static List<String> values(Map<String, List<String>> headers, String name) {
        return headers.getOrDefault(PREFIX + name, List.of()).stream()
                .flatMap(line -> List.of(line.split(",", -1)).stream())
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }
}
