package dev.hearth.yarn.internal.pages;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.time.Ticker;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gate that lets the proxies of YARN in, as the user that they name, and redirects all others to the active one. Over TLS
 * the rules of the server apply to others. Any thread may call; proxies are looked up by the executor.
 */
final class ProxyGate implements HttpGate {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyGate.class);
    /** Time after which the names of proxies are resolved again, as in Spark. */
    private static final Duration RENEWED_AFTER = Duration.ofMinutes(5);
    /** Time after which a client that is redirected has the active one of several ResourceManagers looked up again. */
    private static final Duration ACTIVE_FOR = Duration.ofSeconds(5);

    private static final String USER = "proxy-user";
    private static final String PROXY = "/proxy";
    /** Part of a path by which the proxy knows a client that was redirected to it. */
    private static final String REDIRECT = "/redirect";

    private final LongFunction<ProxyAddresses> lookup;
    private final Executor executor;
    private final Ticker ticker;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private volatile Optional<ProxyAddresses> proxies = Optional.empty();

    /** {@code lookup} finds the proxies, at the time that it is given; it may block. */
    ProxyGate(LongFunction<ProxyAddresses> lookup, Executor executor, Ticker ticker) {
        this.lookup = lookup;
        this.executor = executor;
        this.ticker = ticker;
    }

    /** Looks the proxies up; the result completes when they are known. */
    CompletionStage<Void> open() {
        renew();
        return known.minimalCompletionStage();
    }

    @Override
    public Decision judge(HttpRequest request) {
        Optional<ProxyAddresses> found = proxies;
        if (found.isEmpty()) {
            renew();
            return new Refused("the proxy of YARN is not known yet (expected: requests through it); ask again later");
        }
        ProxyAddresses present = found.get();
        Duration age = Duration.ofNanos(ticker.nanos() - present.atNanos());
        String remote = RpcAddress.parse(request.remote()).map(RpcAddress::host).orElse(request.remote());
        boolean isProxy = present.addresses().contains(remote);
        if (age.compareTo(RENEWED_AFTER) >= 0 || (!isProxy && present.several() && age.compareTo(ACTIVE_FOR) >= 0)) {
            renew();
        }
        if (isProxy) {
            return new Admitted(user(request), URI.create(present.base()).getPath());
        }
        return request.secure() ? new Undecided() : new Redirected(target(present.base(), request));
    }

    private void renew() {
        if (!looking.compareAndSet(false, true)) {
            return;
        }
        executor.execute(() -> {
            try {
                proxies = Optional.of(lookup.apply(ticker.nanos()));
                known.complete(null);
            } catch (RuntimeException failure) { // of a configuration that names no proxy; the next request tries again
                LOG.warn("proxies of YARN: {} (expected: addresses of them); pages stay closed", failure.toString());
            } finally {
                looking.set(false);
            }
        });
    }

    /** The user in the cookie of the proxy; empty if there is none, as for clusters that ask no user for a name. */
    private static String user(HttpRequest request) {
        return request.headers().getOrDefault("cookie", List.of()).stream()
                .flatMap(header -> Arrays.stream(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(USER + "="))
                .map(cookie -> cookie.substring(USER.length() + 1).replace("\"", ""))
                .findFirst()
                .orElse("");
    }

    private static String target(String base, HttpRequest request) {
        StringBuilder target = new StringBuilder(base);
        int proxy = base.indexOf(PROXY + "/");
        if (proxy >= 0) {
            target.insert(proxy + PROXY.length(), REDIRECT);
        }
        target.append(encoded(request.path()));
        char separator = '?';
        for (Map.Entry<String, List<String>> parameter : request.query().entrySet()) {
            for (String value : parameter.getValue()) {
                target.append(separator)
                        .append(URLEncoder.encode(parameter.getKey(), StandardCharsets.UTF_8))
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
                separator = '&';
            }
        }
        return target.toString();
    }

    private static String encoded(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException impossible) { // a path that begins with a slash is never malformed
            throw new IllegalArgumentException(path, impossible);
        }
    }
}
