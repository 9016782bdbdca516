package dev.hearth.kubernetes.internal.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * API server: its URL, how it is reached, and what all requests to it have in common. {@code serverName} is the name in
 * its certificate, empty if it is that of the URL. Immutable.
 */
record ServerTarget(
        String address,
        String serverName,
        Optional<InetSocketAddress> proxy,
        Map<String, List<String>> headers,
        Duration requestTimeout,
        Duration connectTimeout) {}
