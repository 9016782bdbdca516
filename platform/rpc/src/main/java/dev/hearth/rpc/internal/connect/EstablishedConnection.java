package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.channel.Channel;
import java.util.Optional;

/**
 * A connection that is what it says it is: its lane, its scope as it was proved (none for HTTP), the other end for people, and how it is
 * secured, for people. Its pipeline holds nothing but what encrypts it.
 */
public record EstablishedConnection(
        Channel channel, Lane lane, LaneRouter.ScopeKey scope, String remote, String security) {
    /** How a connection is called that nothing protects. */
    public static final String PLAIN = "plain";
    /** How one is called that TLS protects. */
    public static final String TLS = "TLS 1.3";

    /** The scope of what belongs to none. */
    static final LaneRouter.ScopeKey NO_SCOPE = new LaneRouter.ScopeKey("", Optional.empty());

    private static final String PROVED = ", proved";

    /** How a connection is called, by what protects it and whether both sides have proved a secret. */
    static String security(boolean encrypted, boolean proved) {
        return (encrypted ? TLS : PLAIN) + (proved ? PROVED : "");
    }
}
