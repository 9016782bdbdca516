package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.channel.Channel;
import java.util.Optional;

/**
 * Connection after its handshake, with its lane (messages, bulk data or HTTP) and its authenticated scope (application;
 * none for HTTP). The remote address and the protection are for display. Its pipeline contains at most the TLS handler.
 */
public record EstablishedConnection(
        Channel channel, Lane lane, LaneRouter.ScopeKey scope, String remote, String security) {
    /** Display name of an unprotected connection. */
    public static final String PLAIN = "plain";
    /** Display name of a connection under TLS. */
    public static final String TLS = "TLS 1.3";

    /** Placeholder for the scope of connections that belong to no scope, such as HTTP connections. */
    static final LaneRouter.ScopeKey NO_SCOPE = new LaneRouter.ScopeKey("", Optional.empty());

    private static final String PROVED = ", proved";

    /** Returns the display name of the protection of a connection, such as {@code TLS 1.3, proved}. */
    static String security(boolean encrypted, boolean proved) {
        return (encrypted ? TLS : PLAIN) + (proved ? PROVED : "");
    }
}
