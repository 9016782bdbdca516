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
 * One connection to a remote process, from handshake to loss; {@link ConnectionState} lists its states. When it is
 * lost, pending asks (messages that expect an answer) fail. Each endpoint is notified of the loss after its last
 * message. Any thread may send, ask and close. All other state is owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
final class NettyPeer implements Peer {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.rpc.Connection");

    /** Bound on the bytes queued in each direction of a connection, as a multiple of the maximum message size. */
    private static final long QUEUED_MESSAGES_MAX = 2;

    /**
     * Minimum of the bound on the bytes queued in each direction, so that a burst of small messages fits whatever the
     * maximum message size is.
     */
    private static final long QUEUED_BYTES_MIN = 16L * 1024 * 1024;

    private final long id;
    private final String remote;
    private final String security;
    private final Channel channel;
    private final PeerServices services;
    private final FrameWriter frames;
    private final Outbox outbox;
    private final PendingAsks asks; // accessed only on the channel's event loop
    private final Backlog backlog;
    private final KeepAlive pulse; // accessed only on the channel's event loop
    private final DeadLetterLog deadLetters; // accessed only on the channel's event loop
    private final AtomicLong lastAskId = new AtomicLong();
    // number of the last endpoint notified of this peer; accessed only on the channel's event loop
    private long announcedTo;
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

    /**
     * Notifies all endpoints of this peer, before its first message, and starts the keep-alive. Returns the handler
     * that reads the frames. Called once, on the event loop.
     */
    FrameHandler start() {
        announce();
        pulse.start();
        return new FrameHandler(this, services.settings().limits().messageBytesMax());
    }

    /**
     * Notifies the endpoints registered since the last call that this peer exists. They must know the peer before its
     * first message. Called on the event loop.
     */
    private void announce() {
        long newest = services.endpoints().newest();
        if (announcedTo < newest && !isLost()) {
            List<Endpoint> late = services.endpoints().between(announcedTo, newest);
            announcedTo = newest;
            late.forEach(endpoint -> endpoint.peerConnected(this));
        }
    }

    /** Notifies newly registered endpoints that this peer exists. Thread-safe. */
    void endpointAdded() {
        try {
            channel.eventLoop().execute(this::announce);
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: not announced, its RPC environment is closed", this);
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

    /**
     * Ends the connection for a reason of this process, such as its close. Before that, writes the queued frames that
     * the transport accepts at once; the others are dropped. Thread-safe.
     */
    void closeLocally(String reason) {
        beginClosing(reason, () -> {
            try {
                outbox.write(); // best effort: closing the channel may drop bytes that the remote end has not read yet
            } finally {
                lose(reason);
            }
        });
    }

    void send(String endpoint, ProtocolCodec codec, Record message) {
        if (status.get().state() != ConnectionState.OPEN) {
            codec.require(message);
            return; // the message is dropped; the sender's endpoint will be notified of the loss
        }
        WireOutput frame;
        try {
            frame = frames.send(endpoint, codec, message);
        } catch (HearthException failure) {
            if (ErrorCode.of(failure).equals(Optional.of(ErrorCode.MESSAGE_TOO_LARGE))) {
                String reason = "a message to endpoint " + endpoint + " could not be sent: " + failure.getMessage();
                LOG.error("{}: {}", this, reason);
                // the message is lost; the sender learns this when its endpoint is notified of the lost peer
                closeLocally(reason);
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

    /** Removes an ask whose caller no longer wants the answer, to free its slot for other asks. Thread-safe. */
    void forget(PendingAsk<?> ask) {
        try {
            channel.eventLoop().execute(() -> asks.remove(ask.id()));
        } catch (RejectedExecutionException ended) {
            LOG.debug("{}: ask {} aborted after its RPC environment was closed", this, ask.id());
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

    /**
     * Counts the bytes of a read, and lets the outbox collect frames until {@link #endRead}. Called on the event loop,
     * as are all methods below that are not marked thread-safe.
     */
    void beginRead(int bytes) {
        pulse.read(bytes);
        outbox.beginRead();
    }

    void endRead() {
        outbox.endRead();
    }

    /**
     * Handles one received frame: the bytes from index {@code from}, inclusive, to {@code end}, exclusive, without the
     * length prefix.
     */
    void receive(byte[] bytes, int from, int end) {
        try {
            WireInput in = new WireInput(bytes, from, end);
            int code = in.takeByte();
            if (!MessageFrameKind.isKnown(code)) {
                protocolError("the other side sent a frame of kind " + code + " (expected: 1 to 6)");
                return;
            }
            switch (MessageFrameKind.of(code)) {
                case SEND -> receiveSent(in, end - from);
                case ASK -> receiveAsked(in.takeLong(), in, end - from);
                case ANSWER -> receiveAnswer(in.takeLong(), in);
                case FAILURE -> receiveFailure(in.takeLong(), in.takeText(), in.takeText());
                case PING -> sendControl(MessageFrameKind.PONG);
                // nothing to do: reading the bytes of the frame has restarted the silence timeout
                case PONG -> LOG.trace("{}: is alive", this);
            }
        } catch (WireFault fault) {
            protocolError("the other side sent a frame that cannot be read: " + fault.getMessage());
        }
    }

    /** Sends a frame that consists of its kind alone, such as a ping. */
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
            LOG.info("{}: lost: {}", this, reason);
            lose(reason);
        } else {
            LOG.error("{}: internal error while reading or writing", this, cause);
            lose("an internal error of this process: " + cause);
        }
    }

    /** Ends the connection because the remote end closed it. */
    void closedRemotely() {
        lose("the other side closed the connection");
    }

    /** Ends the connection because the remote end broke the protocol. */
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

    /** Ends the connection because the remote end reads more slowly than this process sends. Thread-safe. */
    private void outboxOverflow() {
        String reason = outbox.queuedBytes() + " bytes wait to be sent to the other side (expected: at most "
                + outbox.queuedBytesMax() + "); the other side reads too slowly or not at all";
        beginClosing(reason, () -> loseAsFaulty(reason));
    }

    /**
     * Ends the connection because of a fault of the network or the remote process. Logs a warning and calls {@code
     * networkFailed} of all endpoints of the scope.
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
     * Moves the connection from OPEN to CLOSING, so that no more messages are queued. Then runs {@code last} on the
     * event loop. Has no effect if the connection is closing or lost already. Thread-safe.
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
            LOG.debug("{}: closed after its RPC environment was closed ({})", this, reason);
        }
    }

    /**
     * Moves the connection to LOST, once. Pending asks fail, and each endpoint is notified after its last message.
     * Called on the event loop.
     */
    private void lose(String reason) {
        Status before = status.get();
        while (before.state() != ConnectionState.LOST && !move(before, ConnectionState.LOST, reason)) {
            before = status.get(); // another thread moved the connection to CLOSING meanwhile
        }
        if (before.state() == ConnectionState.LOST) {
            return;
        }
        LOG.debug("{}: closed: {}", this, reason); // a fault was logged as a warning when it was found
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

    /**
     * Replaces the status {@code before}, which the caller has read, by one with the state {@code next}. Returns false
     * if another thread changed the status in between. Throws if the transition is illegal.
     */
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
            protocolError("a message of the other side to endpoint " + name + " cannot be read:" + " "
                    + failure.getMessage());
            return;
        }
        handOver(endpoint, InboundMessage.NOT_ASKED, message, bytes);
    }

    private void receiveAsked(long ask, WireInput in, int bytes) {
        String name = in.takeText();
        Endpoint endpoint = services.endpoints().find(name);
        if (endpoint != null) {
            receiveAsked(endpoint, ask, in, bytes);
            return;
        }
        byte[] rest = in.takeRest(); // the frame's bytes are used again after this call
        boolean starting = services.demand()
                .start(name, failure -> channel.eventLoop().execute(() -> receiveAwaited(name, ask, rest, failure)));
        if (!starting) {
            refuseUnknown(name, ask);
        }
    }

    /** Handles an ask that waited until the bundles that register its endpoint had started. */
    private void receiveAwaited(String name, long ask, byte[] rest, Optional<HearthException> failure) {
        Endpoint endpoint = services.endpoints().find(name);
        if (endpoint != null) {
            receiveAsked(endpoint, ask, new WireInput(rest, 0, rest.length), rest.length);
        } else if (failure.isPresent()) {
            answerFailure(
                    ask, failure.get().code(), String.valueOf(failure.get().getMessage()));
        } else {
            refuseUnknown(name, ask);
        }
    }

    private void refuseUnknown(String name, long ask) {
        answerFailure(
                ask,
                ErrorCode.NO_ENDPOINT.name(),
                "endpoint '" + name + "': none of that name (expected: one of " + services.endpoints()
                        + "); is this the address of another process, or has the process not created the"
                        + " endpoint yet?");
    }

    private void receiveAsked(Endpoint endpoint, long ask, WireInput in, int bytes) {
        String name = endpoint.name();
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

    /**
     * Gate of this peer's {@link Outbox}: lets frames be written until the peer is lost. Registers the asks (messages
     * that expect an answer) in them in {@link PendingAsks}.
     */
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

    /** State of the connection, with the reason for the transition to that state. Immutable. */
    private record Status(ConnectionState state, String reason) {}
}
