package dev.hearth.spi.rpc;

import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.net.RpcAddress;
import java.util.Optional;

/** Address of an endpoint in the form {@code hearth://name@host:port}. */
public record EndpointUri(String endpoint, RpcAddress address) {
    private static final String SCHEME = "hearth://";

    public EndpointUri {
        IdSyntax.require("endpoint", endpoint);
    }

    /** Parses {@code hearth://name@host:port}; empty if {@code text} has another form. */
    public static Optional<EndpointUri> parse(String text) {
        int at = text.indexOf('@');
        if (!text.startsWith(SCHEME) || at <= SCHEME.length()) {
            return Optional.empty();
        }
        return RpcAddress.parse(text.substring(at + 1))
                .map(address -> new EndpointUri(text.substring(SCHEME.length(), at), address));
    }

    @Override
    public String toString() {
        return SCHEME + endpoint + "@" + address;
    }
}
