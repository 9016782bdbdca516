package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.channel.Channel;
import java.util.Optional;

/**
 * A connection after its handshake: its lane, its authenticated scope (none for HTTP), the address of the other end and
 * the protection, both for display. Its pipeline contains at most the TLS handler.
 */
public record EstablishedConnection(
        Channel channel, Lane lane, LaneRouter.ScopeKey scope, String remote, String security) {
    /** Display name of an unprotected connection. */
    public static final String PLAIN = "plain";
    /** Display name of a connection under TLS. */
    public static final String TLS = "TLS 1.3";

    /** Scope of connections without one, such as HTTP. */
    static final LaneRouter.ScopeKey NO_SCOPE = new LaneRouter.ScopeKey("", Optional.empty());

    private static final String PROVED = ", proved";

    /** Display name by encryption and mutual proof. */
    static String security(boolean encrypted, boolean proved) {
        return (encrypted ? TLS : PLAIN) + (proved ? PROVED : "");
    }
}
