package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.channel.Channel;

/**
 * A connection that is what it says it is: its lane, its scope (empty for HTTP), the other end for people, and how it is
 * secured, for people. Its pipeline holds nothing but what encrypts it.
 */
public record Established(Channel channel, Lane lane, String scope, String remote, String security) {
    /** How a connection is called that nothing protects. */
    public static final String PLAIN = "plain";
}
