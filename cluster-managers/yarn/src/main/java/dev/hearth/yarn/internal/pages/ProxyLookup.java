package dev.hearth.yarn.internal.pages;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lookup of the proxies with {@code bases}: resolves their names, and finds the active one. {@code isActive} asks the
 * ResourceManager at an address. Blocks. Immutable.
 */
record ProxyLookup(List<String> bases, Predicate<URI> isActive) {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyLookup.class);
    private static final int TIMEOUT_MILLIS = 2000;
    /** Path at which a ResourceManager answers with 200 if it is the active one. */
    private static final String ACTIVE = "/isActive";

    ProxyLookup {
        bases = List.copyOf(bases);
        if (bases.isEmpty()) {
            throw new IllegalArgumentException("proxies: none (expected: that of the ResourceManager at least)");
        }
    }

    /** A lookup that asks ResourceManagers by HTTP. */
    static ProxyLookup of(List<String> bases) {
        return new ProxyLookup(bases, ProxyLookup::answers);
    }

    /** The proxies at present; {@code nowNanos} is the time at which the lookup began. */
    ProxyAddresses look(long nowNanos) {
        Set<String> addresses = new LinkedHashSet<>();
        for (String base : bases) {
            String host = URI.create(base).getHost();
            try {
                for (InetAddress address : InetAddress.getAllByName(host)) {
                    addresses.add(address.getHostAddress());
                }
            } catch (UnknownHostException unknown) {
                LOG.warn("proxy {}: its name is not known here (expected: an address); it is not let in", host);
            }
        }
        return new ProxyAddresses(addresses, active(), bases.size() > 1, nowNanos);
    }

    /** The base whose ResourceManager is active; the first one if none says so. */
    private String active() {
        return bases.size() == 1
                ? bases.get(0)
                : bases.stream()
                        .filter(base -> isActive.test(URI.create(base).resolve(ACTIVE)))
                        .findFirst()
                        .orElse(bases.get(0));
    }

    private static boolean answers(URI address) {
        try {
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            } finally {
                connection.disconnect();
            }
        } catch (IOException unreachable) {
            LOG.debug("{}", address, unreachable);
            return false;
        }
    }
}
