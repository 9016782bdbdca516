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

/** Moves an accepted channel to another event loop group, because bulk data has I/O threads of its own. Stateless. */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: listeners handle the outcome of each step
final class EventLoopSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoopSwitch.class);

    private EventLoopSwitch() {}

    /**
     * Moves the channel to {@code group} and then calls {@code moved} on its new loop. If the move fails, closes the
     * channel and calls {@code failed} once instead, because the channel's handlers may receive no more events.
     */
    static void to(EventLoopGroup group, Channel channel, Runnable moved, Runnable failed) {
        for (var loop : group) {
            if (loop == channel.eventLoop()) {
                moved.run();
                return;
            }
        }
        EventLoop target = group.next();
        channel.config().setAutoRead(false); // stop reading: bytes that arrive during the move stay in the socket
        ReadBuffer buffer = new ReadBuffer();
        channel.pipeline().addBefore(channel.pipeline().lastContext().name(), "moving", buffer);
        channel.deregister().addListener(left -> {
            if (!left.isSuccess()) {
                fail(channel, left.cause(), buffer, failed);
                return;
            }
            // ImmediateEventExecutor, because an event loop that has ended would not call listeners
            ChannelPromise joining = new DefaultChannelPromise(channel, ImmediateEventExecutor.INSTANCE);
            target.register(joining).addListener(joined -> {
                if (joined.isSuccess()) {
                    moved.run();
                    if (channel.isActive()) { // an inactive channel has already removed the buffer
                        channel.pipeline().remove(buffer);
                        channel.config().setAutoRead(true);
                    }
                } else {
                    fail(channel, joined.cause(), buffer, failed);
                }
            });
        });
    }

    /**
     * Buffers data that was read on the old event loop, for the handler that is added on the new event loop. Owned by
     * the channel's event loop.
     */
    private static final class ReadBuffer extends ChannelInboundHandlerAdapter {
        // messages of a single read, because reading has stopped
        private final Queue<Object> messages = new ArrayDeque<>();

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

    private static void fail(Channel channel, Throwable cause, ReadBuffer buffer, Runnable failed) {
        LOG.warn("Bulk connection {}: cannot be moved to the threads of bulk data", channel, cause);
        try {
            channel.eventLoop().execute(() -> {
                buffer.drop();
                channel.close();
                failed.run();
            });
        } catch (RejectedExecutionException ended) { // close on this thread: no other thread uses the channel any more
            buffer.drop();
            channel.unsafe().closeForcibly();
            failed.run();
        }
    }
}
