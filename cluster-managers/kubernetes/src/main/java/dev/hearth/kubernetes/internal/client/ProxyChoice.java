package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.error.ErrorCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Proxy for an API server: that of the kubeconfig entry, or else that of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, unless
 * NO_PROXY names the server, as clients of Kubernetes do. Pure.
 */
final class ProxyChoice {
    private ProxyChoice() {}

    /** Fails with {@code BAD_SETTING} if the proxy is of a kind that is not supported. */
    static Optional<InetSocketAddress> of(URI server, String configured, Map<String, String> environment) {
        if (!configured.isEmpty()) {
            return Optional.of(address(configured, "proxy-url of the kubeconfig file"));
        }
        String variable = server.getScheme().equals("http") ? "HTTP_PROXY" : "HTTPS_PROXY";
        String found = variable(environment, variable);
        if (found.isEmpty()) {
            variable = "ALL_PROXY";
            found = variable(environment, variable);
        }
        return found.isEmpty() || isDirect(server, variable(environment, "NO_PROXY"))
                ? Optional.empty()
                : Optional.of(address(found, variable));
    }

    private static String variable(Map<String, String> environment, String name) {
        String lower = environment.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return lower.isBlank() ? environment.getOrDefault(name, "").strip() : lower.strip();
    }

    private static InetSocketAddress address(String text, String subject) {
        String rule = " (expected: http://HOST:PORT, without a user)";
        URI uri;
        try {
            uri = URI.create(text.contains("://") ? text : "http://" + text);
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.BAD_SETTING.failure(subject + ": malformed" + rule, malformed);
        }
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw ErrorCode.BAD_SETTING.failure(subject + ": scheme '" + uri.getScheme() + "'" + rule);
        }
        if (uri.getRawUserInfo() != null) {
            // not shown: it may contain a password
            throw ErrorCode.BAD_SETTING.failure(
                    subject + ": a user and a password" + rule + "; use a proxy on this machine that adds them");
        }
        return InetSocketAddress.createUnresolved(bare(uri.getHost()), uri.getPort() < 0 ? 80 : uri.getPort());
    }

    /** Whether {@code exceptions}, which are names, suffixes, addresses and networks, contain the server. */
    private static boolean isDirect(URI server, String exceptions) {
        String host = bare(server.getHost()).toLowerCase(Locale.ROOT);
        Optional<byte[]> address = numeric(host);
        if (host.equals("localhost") || address.map(ProxyChoice::isLoopback).orElse(false)) {
            return true;
        }
        for (String each : exceptions.toLowerCase(Locale.ROOT).split("[,\\s]+", -1)) {
            String exception = withoutPort(each, server);
            boolean isNetwork = exception.contains("/");
            String suffix = exception.startsWith(".") ? exception : "." + exception;
            if (each.equals("*")
                    || (isNetwork && address.isPresent() && isIn(address.get(), exception))
                    || (!isNetwork && !exception.isEmpty() && (host.equals(exception) || host.endsWith(suffix)))) {
                return true;
            }
        }
        return false;
    }

    /** {@code exception} without the port of the server; empty if it has another one. */
    private static String withoutPort(String exception, URI server) {
        int colon = exception.lastIndexOf(':');
        if (colon < 0 || exception.indexOf(':') != colon) {
            return bare(exception); // no port, or the address of IPv6
        }
        int port = server.getPort() < 0 ? (server.getScheme().equals("http") ? 80 : 443) : server.getPort();
        return exception.substring(colon + 1).equals(String.valueOf(port)) ? exception.substring(0, colon) : "";
    }

    private static boolean isIn(byte[] address, String network) {
        String[] parts = network.split("/", 2);
        Optional<byte[]> begin = numeric(parts[0]);
        if (begin.isEmpty() || begin.get().length != address.length || !parts[1].matches("\\d{1,3}")) {
            return false;
        }
        int bits = Math.min(Integer.parseInt(parts[1]), address.length * 8);
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((address[bit / 8] & mask) != (begin.get()[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLoopback(byte[] address) {
        try {
            return InetAddress.getByAddress(address).isLoopbackAddress();
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(
                    "an address of " + address.length + " bytes (expected: 4 or 16)", impossible);
        }
    }

    /** The bytes of a numeric address; no name is looked up. */
    private static Optional<byte[]> numeric(String text) {
        boolean isNumeric = text.matches("[0-9.]+") || (text.contains(":") && text.matches("[0-9a-fA-F:.]+"));
        try {
            return isNumeric ? Optional.of(InetAddress.getByName(text).getAddress()) : Optional.empty();
        } catch (UnknownHostException malformed) {
            return Optional.empty();
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
