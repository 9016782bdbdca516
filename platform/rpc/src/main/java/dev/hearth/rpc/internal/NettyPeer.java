package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireFault;
import dev.hearth.rpc.internal.codec.WireInput;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.Names;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, from its handshake to its loss. Its state is owned by the channel's event loop; what any thread calls
 * goes there through the outbox. Lost once: then asks fail, endpoints hear of it after the last message, nothing is sent.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class NettyPeer implements Peer {
    private static final Logger LOG = LoggerFactory.getLogger(NettyPeer.class);

    /** How much may wait to be written to a peer, and of what it sent to be handled: so many messages of full size ... */
    private static final long QUEUED_MESSAGES_MAX = 2;

    /** ... and this much in any case, so that a burst of small ones passes. */
    private static final long QUEUED_BYTES_MIN = 16L * 1024 * 1024;

    /** Why peers are lost when their env closes. */
    static final String CLOSED_HERE = "this process closed its connections";

    private final long id;
    private final String remote;
    private final Channel channel;
    private final PeerServices services;
    private final FrameWriter frames;
    private final Outbox outbox;
    private final Asks asks; // owned by the channel's event loop
    private final Backlog backlog;
    private final AtomicLong asksMade = new AtomicLong();
    private volatile @Nullable String ending; // why nothing more is taken to be sent; from then on the loss is certain
    private volatile @Nullable String lost; // why; written by the channel's event loop, once

    NettyPeer(long id, String remote, Channel channel, PeerServices services) {
        long queuedBytesMax = Math.max(
                QUEUED_BYTES_MIN,
                QUEUED_MESSAGES_MAX * services.settings().limits().messageBytesMax());
        this.id = id;
        this.remote = remote;
        this.channel = channel;
        this.services = services;
        this.frames =
                new FrameWriter(channel.alloc(), services.settings().limits().messageBytesMax());
        this.outbox = new Outbox(channel, queuedBytesMax, new AskGate());
        this.asks = new Asks(channel.eventLoop(), services.settings().limits().asksPerPeerMax());
        this.backlog = new Backlog(channel, remote, queuedBytesMax);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public EndpointRef endpoint(String name, Protocol protocol) {
        return new NettyEndpointRef(
                this, Names.require("endpoint", name), services.codecs().codec(protocol));
    }

    @Override
    public void close() {
        close("this process closed the connection");
    }

    @Override
    public String toString() {
        return "peer " + id + " at " + remote;
    }

    /** What feeds this peer from its channel's pipeline, once the handshake is done. */
    FrameHandler frameHandler() {
        return new FrameHandler(this, services.settings().limits().messageBytesMax());
    }

    boolean isLost() {
        return lost != null;
    }

    /** Writes what was sent before, then ends the connection. Any thread; does not wait. */
    void close(String reason) {
        end(reason, () -> {
            outbox.writeAll();
            lose(reason);
        });
    }

    void send(String endpoint, ProtocolCodec codec, Record message) {
        if (ending != null || lost != null) {
            codec.require(message);
            return; // whoever sends now has not heard of the loss yet
        }
        ByteBuf frame;
        try {
            frame = frames.send(endpoint, codec, message);
        } catch (HearthException failure) {
            if (ErrorCode.of(failure).equals(Optional.of(ErrorCode.MESSAGE_TOO_LARGE))) {
                String reason = "a message to endpoint " + endpoint + " could not be sent: " + failure.getMessage();
                LOG.error("{}: {}", this, reason);
                close(reason); // a message is lost, and this is how its sender hears of it
                return;
            }
            throw failure;
        }
        enqueue(new Outgoing(frame, null));
    }

    <R extends Record> CompletionStage<R> ask(
            String endpoint, ProtocolCodec codec, Record message, Class<R> answer, Duration timeout) {
        codec.require(message);
        String subject = "ask of endpoint " + endpoint + " at " + remote;
        PendingAsk ask = new PendingAsk(asksMade.incrementAndGet(), subject, codec, answer, timeout, services.ticker());
        String reason = lost == null ? ending : lost;
        if (reason != null) {
            ask.fail(ErrorCode.PEER_LOST, reason);
            return ask.stage(answer);
        }
        try {
            enqueue(new Outgoing(frames.ask(ask.id(), endpoint, codec, message), ask));
        } catch (HearthException failure) {
            ask.fail(ErrorCode.of(failure).orElse(ErrorCode.INTERNAL), Failures.describe(failure));
        }
        return ask.stage(answer);
    }

    void answer(long ask, ProtocolCodec codec, Record answer) {
        ByteBuf frame;
        try {
            frame = frames.answer(ask, codec, answer);
        } catch (HearthException | IllegalArgumentException failure) {
            String code = failure instanceof HearthException known ? known.code() : ErrorCode.MALFORMED_MESSAGE.name();
            LOG.error("{}: an answer could not be sent, and its asker is told so: {}", this, failure.getMessage());
            answerFailure(ask, code, "the answer could not be sent: " + failure.getMessage());
            return;
        }
        enqueue(new Outgoing(frame, null));
    }

    void answerFailure(long ask, String code, String text) {
        enqueue(new Outgoing(frames.failure(ask, code, text), null));
    }

    /** Takes one frame, without its length. On the channel's event loop, like all below. */
    void receive(ByteBuf frame) {
        int bytes = frame.readableBytes();
        try {
            WireInput in = new WireInput(frame);
            int code = in.takeByte();
            FrameKind kind = FrameKind.of(code).orElse(null);
            if (kind == null) {
                breakOff("it sent a frame of kind " + code + " (expected: 1 to 4)");
                return;
            }
            switch (kind) {
                case SEND -> receiveSent(in, bytes);
                case ASK -> receiveAsked(in.takeLong(), in, bytes);
                case ANSWER -> receiveAnswer(in.takeLong(), in);
                case FAILURE -> receiveFailure(in.takeLong(), in.takeText(), in.takeText());
            }
        } catch (WireFault fault) {
            breakOff("it sent a frame that is none: " + fault.getMessage());
        }
    }

    void resumeWriting() {
        if (lost == null) {
            outbox.write();
        }
    }

    void fail(Throwable cause) {
        if (cause instanceof IOException) {
            lose(IoReasons.describe(cause));
        } else {
            LOG.error("{}: our own mistake while reading or writing", this, cause);
            lose("this process failed at it: " + cause);
        }
    }

    /** Ends the connection for what the other side did wrong. */
    void breakOff(String reason) {
        LOG.warn("{}: closing the connection: {}", this, reason);
        lose(reason);
    }

    /** Ends this peer, once: asks fail, endpoints hear of it behind all messages handed over before. */
    void lose(String reason) {
        if (lost != null) {
            return;
        }
        lost = reason;
        LOG.info("{}: lost: {}", this, reason);
        channel.close();
        services.gone().accept(this);
        asks.failAll(ErrorCode.PEER_LOST, reason);
        outbox.discard();
        services.endpoints().peerLost(this, reason);
    }

    private void enqueue(Outgoing outgoing) {
        if (!outbox.add(outgoing)) {
            String reason = outbox.queuedBytes() + " bytes wait to be sent to it (expected: at most "
                    + outbox.queuedBytesMax() + "); it reads too slowly or not at all";
            end(reason, () -> breakOff(reason));
        }
    }

    /** Takes nothing more to be sent, so that no message passes one that is lost, and ends on the event loop. */
    private void end(String reason, Runnable last) {
        if (ending != null) {
            return; // somebody else has the last word; which of two at once does not matter, the loss is told once
        }
        ending = reason;
        try {
            channel.eventLoop().execute(() -> {
                if (lost == null) {
                    last.run();
                }
            });
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: ended after its env was closed ({})", this, reason);
        }
    }

    private void receiveSent(WireInput in, int bytes) {
        String name = in.takeText();
        Endpoint endpoint = services.endpoints().find(name);
        if (endpoint == null) {
            LOG.warn("{}: dropped a message to endpoint '{}' (expected: one of {})", this, name, services.endpoints());
            return;
        }
        Record message;
        try {
            message = endpoint.codec().decode(in);
        } catch (HearthException failure) {
            breakOff("its message to endpoint " + name + " cannot be read: " + failure.getMessage());
            return;
        }
        endpoint.deliver(message, NettyCall.sent(this, endpoint.codec()), backlog.entered(bytes));
    }

    private void receiveAsked(long ask, WireInput in, int bytes) {
        String name = in.takeText();
        Endpoint endpoint = services.endpoints().find(name);
        if (endpoint == null) {
            answerFailure(
                    ask,
                    ErrorCode.NO_ENDPOINT.name(),
                    "endpoint '" + name + "': none of that name (expected: one of " + services.endpoints()
                            + "); is it another process, or not ready yet?");
            return;
        }
        Record message;
        try {
            message = endpoint.codec().decode(in);
        } catch (HearthException failure) {
            answerFailure(ask, failure.code(), "endpoint " + name + ": " + failure.getMessage());
            return;
        }
        endpoint.deliver(message, NettyCall.asked(this, ask, endpoint.codec()), backlog.entered(bytes));
    }

    private void receiveAnswer(long id, WireInput in) {
        PendingAsk ask = asks.remove(id);
        if (ask == null) {
            LOG.debug("{}: ignored an answer to ask {}, which waits no more", this, id);
            return;
        }
        try {
            ask.complete(ask.codec().decode(in));
        } catch (HearthException failure) {
            ask.fail(ErrorCode.MALFORMED_MESSAGE, "the answer cannot be read: " + failure.getMessage());
        }
    }

    private void receiveFailure(long id, String code, String text) {
        PendingAsk ask = asks.remove(id);
        if (ask == null) {
            LOG.debug("{}: ignored a failure of ask {}, which waits no more: {} {}", this, id, code, text);
            return;
        }
        ask.failAnswered(code, text);
    }

    /** Lets frames through until the peer is lost, and their asks begin to wait. */
    private final class AskGate implements Outbox.Receiver {
        @Override
        public boolean take(Outgoing outgoing) {
            if (lost != null) {
                refuse(outgoing);
                return false;
            }
            PendingAsk ask = outgoing.ask();
            return ask == null || asks.add(ask);
        }

        @Override
        public void refuse(Outgoing outgoing) {
            PendingAsk ask = outgoing.ask();
            if (ask != null) {
                String reason = lost;
                ask.fail(ErrorCode.PEER_LOST, reason == null ? CLOSED_HERE : reason);
            }
        }
    }
}
