package dev.hearth.rpc.internal.bulk;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves a channel to another group of loops, between two of its events. Stateless. */
@SuppressWarnings("FutureReturnValueIgnored") // listeners tell what became of each step
final class EventLoopSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoopSwitch.class);

    private EventLoopSwitch() {}

    /**
     * Calls {@code moved} on the channel's loop once that is one of {@code group}. A channel that cannot move is closed, and
     * {@code failed} is called once instead: no event may come to its handlers any more.
     */
    static void to(EventLoopGroup group, Channel channel, Runnable moved, Runnable failed) {
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
                fail(channel, left.cause(), held, failed);
                return;
            }
            // listeners run where it fails: a loop that has ended would call none
            ChannelPromise joining = new DefaultChannelPromise(channel, ImmediateEventExecutor.INSTANCE);
            target.register(joining).addListener(joined -> {
                if (joined.isSuccess()) {
                    moved.run();
                    if (channel.isActive()) { // else it has left with the pipeline
                        channel.pipeline().remove(held);
                        channel.config().setAutoRead(true);
                    }
                } else {
                    fail(channel, joined.cause(), held, failed);
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
            if (!context.channel().isActive()) {
                drop();
                return;
            }
            for (Object message = messages.poll(); message != null; message = messages.poll()) {
                context.fireChannelRead(message);
            }
            context.fireChannelReadComplete();
        }

        void drop() {
            for (Object message = messages.poll(); message != null; message = messages.poll()) {
                ReferenceCountUtil.release(message);
            }
        }
    }

    private static void fail(Channel channel, Throwable cause, Held held, Runnable failed) {
        LOG.warn("Bulk connection {}: cannot be moved to the threads of bulk data", channel, cause);
        try {
            channel.eventLoop().execute(() -> {
                held.drop();
                channel.close();
                failed.run();
            });
        } catch (RejectedExecutionException ended) { // nobody else touches the channel any more
            held.drop();
            channel.unsafe().closeForcibly();
            failed.run();
        }
    }
}
