package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireFault;
import dev.hearth.rpc.internal.codec.WireInput;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.rpc.internal.connect.Connector;
import dev.hearth.rpc.internal.connect.NetworkErrorMessages;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, from its handshake to its loss; {@link ConnectionState} lists its states. Any thread may send, ask
 * and close; frames pass through the outbox. The rest of the state is owned by the channel's event loop. When the
 * connection is lost, waiting asks fail, and each endpoint is notified after its last message.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
final class NettyPeer implements Peer {
    private static final Logger LOG = LoggerFactory.getLogger(NettyPeer.class);

    /** Bound of the outbox and of the backlog, in messages of maximum size. */
    private static final long QUEUED_MESSAGES_MAX = 2;

    /** Minimum of that bound in bytes, so that a burst of small messages passes. */
    private static final long QUEUED_BYTES_MIN = 16L * 1024 * 1024;

    private final long id;
    private final String remote;
    private final String security;
    private final Channel channel;
    private final PeerServices services;
    private final FrameWriter frames;
    private final Outbox outbox;
    private final PendingAsks asks; // owned by the channel's event loop
    private final Backlog backlog;
    private final KeepAlive pulse; // owned by the channel's event loop
    private final DeadLetterLog deadLetters; // owned by the channel's event loop
    private final AtomicLong lastAskId = new AtomicLong();
    private long announcedTo; // number of the last endpoint notified of this peer; owned by the channel's event loop
    private final AtomicReference<Status> status = new AtomicReference<>(new Status(ConnectionState.OPEN, "open"));

    NettyPeer(long id, String remote, String security, Channel channel, PeerServices services) {
        int frameBytesMax = services.settings().limits().messageBytesMax();
        long queuedBytesMax = Math.max(QUEUED_BYTES_MIN, QUEUED_MESSAGES_MAX * frameBytesMax);
        this.id = id;
        this.remote = remote;
        this.security = security;
        this.channel = channel;
        this.services = services;
        this.frames = new FrameWriter(frameBytesMax);
        this.outbox = new Outbox(channel, queuedBytesMax, new AskGate());
        this.asks = new PendingAsks(
                channel.eventLoop(),
                services.ticker(),
                services.settings().limits().asksPerPeerMax(),
                outbox::resume);
        this.backlog = new Backlog(channel, remote, queuedBytesMax);
        this.pulse = new KeepAlive(this, channel, services.settings().times().silence(), services.ticker());
        this.deadLetters = new DeadLetterLog(this, services.endpoints(), channel.eventLoop());
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
                this, IdSyntax.require("endpoint", name), services.codecs().codec(protocol));
    }

    @Override
    public void close() {
        closeLocally("this process closed the connection");
    }

    @Override
    public String toString() {
        return "peer " + id + " at " + remote;
    }

    /** Starts the connection. Endpoints are notified of the peer before its first message. On the event loop, once. */
    FrameHandler start() {
        announce();
        pulse.start();
        return new FrameHandler(this, services.settings().limits().messageBytesMax());
    }

    /**
     * Notifies the endpoints registered since the last call that this peer exists, before they get a message from it.
     * On the event loop.
     */
    private void announce() {
        long newest = services.endpoints().newest();
        if (announcedTo < newest && !isLost()) {
            List<Endpoint> late = services.endpoints().between(announcedTo, newest);
            announcedTo = newest;
            late.forEach(endpoint -> endpoint.peerConnected(this));
        }
    }

    /** Called when an endpoint was registered. Any thread. */
    void endpointAdded() {
        try {
            channel.eventLoop().execute(this::announce);
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: not announced, its env is closed", this);
        }
    }

    Ticker ticker() {
        return services.ticker();
    }

    Backlog backlog() {
        return backlog;
    }

    boolean isLost() {
        return status.get().state() == ConnectionState.LOST;
    }

    PeerState state() {
        return pulse.state(
                id,
                services.scope(),
                remote,
                security,
                asks.size(),
                outbox.queuedBytes(),
                outbox.writtenBytes(),
                backlog.isPaused());
    }

    /** Writes the queued frames that the transport accepts at once, then ends the connection. Any thread. */
    void closeLocally(String reason) {
        beginClosing(reason, () -> {
            try {
                outbox.write(); // best effort: closing the channel may drop bytes that are not yet read
            } finally {
                lose(reason);
            }
        });
    }

    void send(String endpoint, ProtocolCodec codec, Record message) {
        if (status.get().state() != ConnectionState.OPEN) {
            codec.require(message);
            return; // dropped: the sender's endpoint is yet to be notified of the loss
        }
        WireOutput frame;
        try {
            frame = frames.send(endpoint, codec, message);
        } catch (HearthException failure) {
            if (ErrorCode.of(failure).equals(Optional.of(ErrorCode.MESSAGE_TOO_LARGE))) {
                String reason = "a message to endpoint " + endpoint + " could not be sent: " + failure.getMessage();
                LOG.error("{}: {}", this, reason);
                closeLocally(reason); // the message is lost; the sender learns this from the loss of the peer
                return;
            }
            throw failure;
        }
        enqueue(new OutboundFrame(frame, null));
    }

    <R extends Record> PendingAsk<R> ask(
            String endpoint, ProtocolCodec codec, Record message, Class<R> answer, Duration timeout) {
        codec.require(message);
        PendingAsk<R> ask = new PendingAsk<>(
                lastAskId.incrementAndGet(),
                this,
                endpoint,
                codec,
                answer,
                timeout,
                services.ticker().nanos());
        Status now = status.get();
        if (now.state() != ConnectionState.OPEN) {
            ask.fail(ErrorCode.PEER_LOST, now.reason());
            return ask;
        }
        try {
            enqueue(new OutboundFrame(frames.ask(ask.id(), endpoint, codec, message), ask));
        } catch (HearthException failure) {
            ask.fail(ErrorCode.of(failure).orElse(ErrorCode.INTERNAL), Failures.describe(failure));
        }
        return ask;
    }

    /** Removes an ask whose caller no longer wants the answer, to make room for other asks. Any thread. */
    void forget(PendingAsk<?> ask) {
        try {
            channel.eventLoop().execute(() -> asks.remove(ask.id()));
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: ask {} aborted after its env was closed", this, ask.id());
        }
    }

    void answer(long ask, ProtocolCodec codec, Record answer) {
        WireOutput frame;
        try {
            frame = frames.answer(ask, codec, answer);
        } catch (HearthException | IllegalArgumentException failure) {
            String code = failure instanceof HearthException known ? known.code() : ErrorCode.MALFORMED_MESSAGE.name();
            LOG.error("{}: an answer could not be sent; the failure is sent instead: {}", this, failure.getMessage());
            answerFailure(ask, code, "the answer could not be sent: " + failure.getMessage());
            return;
        }
        enqueue(new OutboundFrame(frame, null));
    }

    void answerFailure(long ask, String code, String text) {
        enqueue(new OutboundFrame(frames.failure(ask, code, text), null));
    }

    /** Counts received bytes. On the channel's event loop, like all methods below. */
    void beginRead(int bytes) {
        pulse.read(bytes);
        outbox.beginRead();
    }

    void endRead() {
        outbox.endRead();
    }

    /** Handles one frame, without its length prefix. */
    void receive(byte[] bytes, int from, int end) {
        try {
            WireInput in = new WireInput(bytes, from, end);
            int code = in.takeByte();
            if (!MessageFrameKind.isKnown(code)) {
                protocolError("it sent a frame of kind " + code + " (expected: 1 to 6)");
                return;
            }
            switch (MessageFrameKind.of(code)) {
                case SEND -> receiveSent(in, end - from);
                case ASK -> receiveAsked(in.takeLong(), in, end - from);
                case ANSWER -> receiveAnswer(in.takeLong(), in);
                case FAILURE -> receiveFailure(in.takeLong(), in.takeText(), in.takeText());
                case PING -> sendControl(MessageFrameKind.PONG);
                case PONG -> LOG.trace("{}: is alive", this); // reading its bytes has restarted the silence timeout
            }
        } catch (WireFault fault) {
            protocolError("it sent a frame that cannot be read: " + fault.getMessage());
        }
    }

    /** Sends a frame without content. */
    void sendControl(MessageFrameKind kind) {
        enqueue(new OutboundFrame(frames.control(kind), null));
    }

    void resumeWriting() {
        if (!isLost()) {
            outbox.write();
        }
    }

    /** Ends the connection after the channel failed to read or write. */
    void channelFailed(Throwable cause) {
        if (cause instanceof IOException) {
            String reason = NetworkErrorMessages.describe(cause);
            reportNetworkFailure(ErrorCode.PEER_LOST.failure(
                    remote + ": " + reason + " (expected: a connection that lasts)", cause));
            lose(reason);
        } else {
            LOG.error("{}: internal error while reading or writing", this, cause);
            lose("an internal error of this process: " + cause);
        }
    }

    /** Ends the connection because the other side closed it. */
    void closedRemotely() {
        lose("the other side closed the connection");
    }

    /** Ends the connection because the other side broke the protocol. */
    void protocolError(String reason) {
        loseAsFaulty(reason);
    }

    /** Ends the connection because nothing arrived within the silence timeout. */
    void silenceTimeout(String reason) {
        loseAsFaulty(reason);
    }

    private void enqueue(OutboundFrame outgoing) {
        pulse.sent();
        if (!outbox.add(outgoing)) {
            outboxOverflow();
        }
    }

    /** Ends the connection because the other side does not read as fast as this process sends. Any thread. */
    private void outboxOverflow() {
        String reason = outbox.queuedBytes() + " bytes wait to be sent to it (expected: at most "
                + outbox.queuedBytesMax() + "); it reads too slowly or not at all";
        beginClosing(reason, () -> loseAsFaulty(reason));
    }

    /**
     * Ends the connection because of a fault outside this process: logs a warning and notifies endpoints of the
     * failure.
     */
    private void loseAsFaulty(String reason) {
        LOG.warn("{}: closing the connection: {}", this, reason);
        reportNetworkFailure(ErrorCode.PEER_LOST.failure(remote + ": " + reason));
        lose(reason);
    }

    private void reportNetworkFailure(HearthException failure) {
        if (!isLost()) {
            services.endpoints().networkFailed(remote, failure);
        }
    }

    /**
     * Moves to CLOSING, so that no later message is sent after one was dropped. Then runs {@code last} on the event
     * loop. The first cause wins; later ones are ignored. Any thread.
     */
    private void beginClosing(String reason, Runnable last) {
        Status before = status.get();
        if (before.state() != ConnectionState.OPEN || !move(before, ConnectionState.CLOSING, reason)) {
            return;
        }
        try {
            channel.eventLoop().execute(() -> {
                if (!isLost()) {
                    last.run();
                }
            });
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: closed after its env was closed ({})", this, reason);
        }
    }

    /**
     * Moves to LOST, once: waiting asks fail, and each endpoint is notified after its last message. On the event loop.
     */
    private void lose(String reason) {
        Status before = status.get();
        while (before.state() != ConnectionState.LOST && !move(before, ConnectionState.LOST, reason)) {
            before = status.get(); // another thread moved to CLOSING meanwhile
        }
        if (before.state() == ConnectionState.LOST) {
            return;
        }
        LOG.info("{}: lost: {}", this, reason);
        pulse.stop();
        deadLetters.close();
        channel.close();
        services.gone().accept(this);
        asks.failAll(ErrorCode.PEER_LOST, reason);
        outbox.discard();
        for (Endpoint endpoint : services.endpoints().between(0, announcedTo)) {
            endpoint.peerLost(this, reason);
        }
    }

    /** Moves from the status that the caller saw; false if another thread moved first. Refuses illegal transitions. */
    private boolean move(Status before, ConnectionState next, String reason) {
        if (!before.state().leadsTo(next)) {
            throw new IllegalStateException(
                    this + ": " + before.state() + " -> " + next + " (expected: a legal transition)");
        }
        boolean moved = status.compareAndSet(before, new Status(next, reason));
        if (moved) {
            LOG.debug("{}: {} -> {}: {}", this, before.state(), next, reason);
        }
        return moved;
    }

    private void receiveSent(WireInput in, int bytes) {
        String name = in.takeText();
        Endpoint endpoint = services.endpoints().find(name);
        if (endpoint == null) {
            deadLetters.dropped(name);
            return;
        }
        Record message;
        try {
            message = endpoint.codec().decode(in);
        } catch (HearthException failure) {
            protocolError("its message to endpoint " + name + " cannot be read: " + failure.getMessage());
            return;
        }
        handOver(endpoint, InboundMessage.NOT_ASKED, message, bytes);
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
        handOver(endpoint, ask, message, bytes);
    }

    private void handOver(Endpoint endpoint, long ask, Record message, int bytes) {
        if (endpoint.number() > announcedTo) {
            announce();
        }
        backlog.queued(bytes);
        pulse.received();
        endpoint.deliver(new InboundMessage(endpoint, this, ask, message, bytes));
    }

    private void receiveAnswer(long id, WireInput in) {
        PendingAsk<?> ask = asks.remove(id);
        if (ask == null) {
            LOG.debug("{}: ignored an answer to ask {}, which no longer waits", this, id);
            return;
        }
        pulse.received();
        try {
            ask.answer(ask.codec().decode(in));
        } catch (HearthException failure) {
            ask.fail(ErrorCode.MALFORMED_MESSAGE, "the answer cannot be read: " + failure.getMessage());
        }
    }

    private void receiveFailure(long id, String code, String text) {
        PendingAsk<?> ask = asks.remove(id);
        if (ask == null) {
            LOG.debug("{}: ignored a failure of ask {}, which no longer waits: {} {}", this, id, code, text);
            return;
        }
        ask.failAnswered(code, text);
    }

    /** Admits frames until the peer is lost, and registers their asks. */
    private final class AskGate implements Outbox.Receiver {
        @Override
        public boolean isOpen() {
            return !isLost();
        }

        @Override
        public boolean admit(OutboundFrame outgoing) {
            if (isLost()) {
                refuse(outgoing);
                return false;
            }
            PendingAsk<?> ask = outgoing.ask;
            if (ask == null) {
                return true;
            }
            if (!outgoing.registered) {
                outgoing.registered = true;
                outgoing.admitted = asks.add(ask);
            }
            return outgoing.admitted && !ask.isDone();
        }

        @Override
        public boolean isAccepting() {
            return !asks.isFullOfRefused();
        }

        @Override
        public void refuse(OutboundFrame outgoing) {
            PendingAsk<?> ask = outgoing.ask;
            if (ask != null) {
                Status now = status.get();
                boolean lost = now.state() == ConnectionState.LOST;
                ask.fail(ErrorCode.PEER_LOST, lost ? now.reason() : Connector.CLOSED_HERE);
            }
        }

        @Override
        public void failed(Throwable failure) {
            channelFailed(failure);
        }
    }

    /** State of the connection and the cause of the last transition. Immutable. */
    private record Status(ConnectionState state, String reason) {}
}
