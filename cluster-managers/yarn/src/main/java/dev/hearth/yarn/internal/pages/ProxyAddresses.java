package dev.hearth.yarn.internal.pages;

import java.util.List;
import java.util.Set;

/**
 * Proxies as they were at {@code atNanos}: their addresses, and the base of the active one. {@code several} says that there are
 * others, so that another one may become active. Immutable.
 */
record ProxyAddresses(Set<String> addresses, String base, boolean several, long atNanos) {
    ProxyAddresses {
        addresses = Set.copyOf(addresses);
        if (base.isEmpty()) {
            throw new IllegalArgumentException("proxies " + List.copyOf(addresses) + ": no base (expected: one)");
        }
    }
}
