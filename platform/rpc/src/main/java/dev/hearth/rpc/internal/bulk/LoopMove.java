package dev.hearth.rpc.internal.bulk;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves a channel to another group of loops, between two of its events. Stateless. */
@SuppressWarnings("FutureReturnValueIgnored") // listeners tell what became of each step
final class LoopMove {
    private static final Logger LOG = LoggerFactory.getLogger(LoopMove.class);

    private LoopMove() {}

    /** Calls {@code moved} on the channel's loop once that is one of {@code group}; a channel that cannot move is closed. */
    static void to(EventLoopGroup group, Channel channel, Runnable moved) {
        for (var loop : group) {
            if (loop == channel.eventLoop()) {
                moved.run();
                return;
            }
        }
        EventLoop target = group.next();
        channel.config().setAutoRead(false); // what arrives meanwhile waits in the system
        channel.deregister().addListener(left -> {
            if (!left.isSuccess()) {
                fail(channel, left.cause());
                return;
            }
            target.register(channel).addListener(joined -> {
                if (joined.isSuccess()) {
                    moved.run();
                    channel.config().setAutoRead(true);
                } else {
                    fail(channel, joined.cause());
                }
            });
        });
    }

    private static void fail(Channel channel, Throwable cause) {
        LOG.warn("Bulk connection {}: cannot be moved to the threads of bulk data", channel, cause);
        channel.unsafe().closeForcibly();
    }
}
