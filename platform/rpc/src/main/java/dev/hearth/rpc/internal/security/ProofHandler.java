package dev.hearth.rpc.internal.security;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.Optional;

/**
 * Channel handler that runs the mutual proof of a shared secret: each side of the connection proves the secret to the
 * other. It is added once both sides have agreed on the proof, and reports the outcome once. The handshake that adds it
 * limits the duration. Owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
public final class ProofHandler extends ByteToMessageDecoder {
    private final ProofSide side;
    private final String remote;
    private final Outcome outcome;
    private boolean finished;

    ProofHandler(ProofSide side, String remote, Outcome outcome) {
        this.side = side;
        this.remote = remote;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        side.begin().ifPresent(frame -> context.writeAndFlush(bytes(context, frame), context.voidPromise()));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (finished) {
            in.skipBytes(in.readableBytes());
            return;
        }
        ProofSide.Step step;
        try {
            Optional<ProofFrame> frame = ProofFrame.read(in);
            if (frame.isEmpty()) {
                return;
            }
            step = side.receive(frame.get());
        } catch (ProofFrame.MalformedProofFrame broken) {
            step = side.refuse(broken.getMessage());
        }
        follow(context, step);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        refuse(context, ErrorCode.NOT_AUTHENTICATED.failure(remote + ": " + side.incomplete()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(
                context,
                TlsErrorMessages.describe(remote, cause)
                        .orElseGet(() -> ErrorCode.NOT_AUTHENTICATED.failure(
                                remote + ": " + side.incomplete() + ": " + cause, cause)));
    }

    private void follow(ChannelHandlerContext context, ProofSide.Step step) {
        switch (step.outcome()) {
            case GOES_ON ->
                step.answer().ifPresent(frame -> context.writeAndFlush(bytes(context, frame), context.voidPromise()));
            case PROVED -> {
                finished = true;
                Channel channel = context.channel();
                step.answer().ifPresent(frame -> context.write(bytes(context, frame), context.voidPromise()));
                outcome.proved(context);
                // send last: the outcome has ended the handshake, so new connections can no longer evict this
                // connection
                channel.flush();
            }
            case REFUSED -> {
                finished = true;
                HearthException failure = ErrorCode.NOT_AUTHENTICATED.failure(remote + ": " + step.reason());
                outcome.refused(failure); // report before the remote process can notice the refusal
                if (step.answer().isPresent()) {
                    context.writeAndFlush(bytes(context, step.answer().get())).addListener(ChannelFutureListener.CLOSE);
                } else {
                    context.close();
                }
            }
        }
    }

    private void refuse(ChannelHandlerContext context, HearthException failure) {
        if (!finished) {
            finished = true;
            context.close();
            outcome.refused(failure);
        }
    }

    private static ByteBuf bytes(ChannelHandlerContext context, ProofFrame frame) {
        ByteBuf out = context.alloc().buffer();
        frame.write(out);
        return out;
    }

    /** Callback for the outcome of the proof, called once on the channel's event loop. */
    public interface Outcome {
        /**
         * Called when both sides have proved the secret. The implementation must remove the proof handler, whose {@code
         * context} it gets; the handler's unread bytes then go to the next handler.
         */
        void proved(ChannelHandlerContext context);

        /** Receives the reason of a failed proof, while the connection is being closed. */
        void refused(HearthException failure);
    }
}
