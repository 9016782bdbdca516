package dev.hearth.spi.net;

import java.util.Optional;

/** Address of a listening process: host name or IP address, and port. */
public record RpcAddress(String host, int port) {
    private static final int PORT_MAX = 65_535;

    public RpcAddress {
        if (host.isBlank() || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "address: '" + host + ":" + port + "' (expected: a host and a port from 1 to " + PORT_MAX + ")");
        }
    }

    /** Parses {@code host:port} or {@code [address]:port}; empty if {@code text} has another form. */
    public static Optional<RpcAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || text.indexOf('/') >= 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            return Optional.empty();
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return host.isBlank() || port < 1 || port > PORT_MAX
                    ? Optional.empty()
                    : Optional.of(new RpcAddress(host, port));
        } catch (NumberFormatException notAPort) {
            return Optional.empty(); // the caller reports the malformed text
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
