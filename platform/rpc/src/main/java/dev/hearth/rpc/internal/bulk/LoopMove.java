package dev.hearth.rpc.internal.bulk;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
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
        Held held = new Held();
        channel.pipeline().addBefore(channel.pipeline().lastContext().name(), "moving", held);
        channel.deregister().addListener(left -> {
            if (!left.isSuccess()) {
                fail(channel, left.cause());
                return;
            }
            target.register(channel).addListener(joined -> {
                if (joined.isSuccess()) {
                    moved.run();
                    if (channel.isActive()) { // else it has left with the pipeline
                        channel.pipeline().remove(held);
                        channel.config().setAutoRead(true);
                    }
                } else {
                    fail(channel, joined.cause());
                }
            });
        });
    }

    /** Keeps what was read on the old loop, for the lane's handler on the new one. Owned by the channel's loop. */
    private static final class Held extends ChannelInboundHandlerAdapter {
        private final Queue<Object> messages = new ArrayDeque<>(); // of one read, as no other follows

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            messages.add(message);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            boolean wanted = context.channel().isActive();
            for (Object message = messages.poll(); message != null; message = messages.poll()) {
                if (wanted) {
                    context.fireChannelRead(message);
                } else {
                    ReferenceCountUtil.release(message);
                }
            }
            if (wanted) {
                context.fireChannelReadComplete();
            }
        }
    }

    private static void fail(Channel channel, Throwable cause) {
        LOG.warn("Bulk connection {}: cannot be moved to the threads of bulk data", channel, cause);
        channel.unsafe().closeForcibly();
    }
}
