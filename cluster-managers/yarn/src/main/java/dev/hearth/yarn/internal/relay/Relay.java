package dev.hearth.yarn.internal.relay;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import dev.hearth.yarn.internal.relay.RelayProtocol.Numbered;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayAck;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayBeat;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayFinish;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayFinished;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayHello;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayInterrupted;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayLost;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayRegistered;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayReported;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayRequest;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayStart;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayStartFailed;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayStarted;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayStop;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayUrl;
import dev.hearth.yarn.internal.relay.RelayProtocol.RelayWelcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Application master that does what a driver elsewhere orders. Owns the line to YARN and the connection to the driver, and
 * has no state but messages that have not arrived. Owned by its loop; lives as long as its process.
 */
final class Relay implements LineListener {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration RECONNECT = Duration.ofMillis(500);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(1);
    private static final Duration HELLO_BOUND = Duration.ofSeconds(10);
    /** Time for the last messages to arrive at the driver. */
    private static final Duration LAST_WORDS_BOUND = Duration.ofSeconds(3);
    /** Number of messages without an acknowledgement beyond which reports without news are not sent. */
    private static final int WAITING_MAX = 16;

    /** States of a relay. */
    enum State {
        /** The ResourceManager has not answered yet. */
        REGISTERING,
        /** There is no driver. */
        SEARCHING,
        SERVING,
        /** The application ends at the ResourceManager. */
        FINISHING,
        ENDED;

        boolean leadsTo(State next) {
            return switch (this) {
                case REGISTERING -> next == SEARCHING || next == FINISHING || next == ENDED;
                case SEARCHING -> next == SERVING || next == FINISHING || next == ENDED;
                case SERVING -> next == SEARCHING || next == FINISHING || next == ENDED;
                case FINISHING -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    private final EventLoop loop;
    private final RpcScope scope;
    private final RpcAddress driver;
    private final ContainerLine line;
    private final String container;
    private final Duration driverTimeout;
    private final UnacknowledgedMessages outbox = new UnacknowledgedMessages();
    private final ReceivedNumbers inbox = new ReceivedNumbers();
    private final CompletableFuture<Optional<HearthException>> ended = new CompletableFuture<>();
    private State state = State.REGISTERING;
    private Optional<LineRegistration> registration = Optional.empty();
    private Optional<Peer> connected = Optional.empty();
    private int attempts; // to connect
    private boolean welcomed; // by the connected driver
    private long aloneSinceNanos;
    private PreemptionNotice lastNotice = PreemptionNotice.NONE;

    /** {@code container} is that of this process; {@code driver} the address at which the driver listens. */
    Relay(
            EventLoop loop,
            RpcScope scope,
            RpcAddress driver,
            ContainerLine line,
            String container,
            Duration driverTimeout) {
        this.loop = loop;
        this.scope = scope;
        this.driver = driver;
        this.line = line;
        this.container = container;
        this.driverTimeout = driverTimeout;
    }

    /** Starts. The result completes when the application has ended, with the reason if the driver has not ended it. */
    CompletionStage<Optional<HearthException>> start() {
        loop.requireInLoop();
        aloneSinceNanos = loop.ticker().nanos();
        scope.register(RelayProtocol.RELAY, RelayProtocol.PROTOCOL, loop, endpoint());
        line.open(this);
        connect();
        watch();
        return ended.minimalCompletionStage();
    }

    State state() {
        return state;
    }

    private Receiver endpoint() {
        return Receiver.of(RelayProtocol.RELAY)
                .on(RelayAck.class, (ack, peer) -> acknowledged(ack))
                .on(RelayBeat.class, (beat, peer) -> line.beat(Duration.ofMillis(beat.millis())))
                .on(RelayRequest.class, (orders, peer) -> accept(orders, peer, () -> line.order(orders.orders())))
                .on(
                        RelayStart.class,
                        (start, peer) -> accept(start, peer, () -> line.start(start.container(), start.launch())))
                .on(RelayStop.class, (stop, peer) -> accept(stop, peer, () -> line.stop(stop.container())))
                .on(RelayUrl.class, (url, peer) -> accept(url, peer, () -> line.trackingUrl(url.url())))
                .on(RelayFinish.class, (end, peer) -> accept(end, peer, () -> finish(end.outcome(), end.words())))
                .onPeerLost(this::lost)
                .build();
    }

    /** Performs a numbered order, unless it is a repetition, and acknowledges it. */
    private void accept(Numbered order, Peer peer, Runnable action) {
        if (!isConnected(peer)) {
            return; // of a connection that is gone; the driver repeats it on the present one
        }
        try {
            if (inbox.accepts(order.number())) {
                action.run();
            }
            peer.endpoint(RelayProtocol.DRIVER, RelayProtocol.PROTOCOL).send(new RelayAck(order.number()));
        } catch (HearthException gap) {
            LOG.warn("driver: {}", Failures.describe(gap));
            peer.close(); // the next connection begins with an exchange of numbers
        }
    }

    private boolean isConnected(Peer peer) {
        return connected.filter(present -> present == peer).isPresent();
    }

    /** Connects. A further attempt begins if this one has no result soon: a network that drops packets gives none. */
    private void connect() {
        if (state == State.ENDED || connected.isPresent()) {
            return;
        }
        int number = ++attempts;
        loop.schedule(CONNECT_PATIENCE, () -> connectAfter(number));
        scope.connect(driver)
                .whenComplete((peer, failure) -> loop.inOrder(() -> {
                    if (failure != null) {
                        LOG.debug("driver at {}: {}", driver, Failures.describe(failure));
                        loop.schedule(RECONNECT, () -> connectAfter(number));
                    } else if (state == State.ENDED || connected.isPresent()) {
                        peer.close();
                    } else {
                        connected = Optional.of(peer);
                        greet();
                    }
                }));
    }

    /** Connects, unless another attempt has begun after attempt {@code number}. */
    private void connectAfter(int number) {
        if (number == attempts) {
            connect();
        }
    }

    /** Begins a conversation, once there are a connection and a registration. */
    private void greet() {
        if (connected.isEmpty() || registration.isEmpty()) {
            return;
        }
        Peer peer = connected.get();
        LineRegistration known = registration.get();
        peer.endpoint(RelayProtocol.DRIVER, RelayProtocol.PROTOCOL)
                .ask(
                        new RelayHello(known.attempt(), container, known, inbox.last(), outbox.last()),
                        RelayWelcome.class,
                        HELLO_BOUND)
                .whenComplete((welcome, failure) -> loop.inOrder(() -> {
                    if (!isConnected(peer)) {
                        return;
                    }
                    if (failure == null) {
                        welcomed(welcome);
                    } else if (Failures.code(failure) == ErrorCode.APPLICATION_UNKNOWN) {
                        end(Optional.of(ErrorCode.CLUSTER_LOST.failure(Failures.describe(failure))));
                    } else {
                        // the loss of a peer may have been reported before the connection was
                        lost(peer, Failures.describe(failure));
                        peer.close();
                    }
                }));
    }

    private void welcomed(RelayWelcome welcome) {
        welcomed = true;
        if (state == State.SEARCHING) {
            move(State.SERVING);
        }
        outbox.acknowledged(welcome.received());
        outbox.waiting().forEach(this::transmit);
    }

    private void lost(Peer peer, String reason) {
        if (!isConnected(peer)) {
            return;
        }
        LOG.info("driver at {}: {}", driver, reason);
        connected = Optional.empty();
        welcomed = false;
        aloneSinceNanos = loop.ticker().nanos();
        if (state == State.SERVING) {
            move(State.SEARCHING);
        }
        if (state != State.ENDED) {
            watch();
            int number = attempts;
            loop.schedule(RECONNECT, () -> connectAfter(number));
        }
    }

    /** Ends the application when no driver has answered for too long. */
    private void watch() {
        long since = aloneSinceNanos;
        loop.schedule(driverTimeout, () -> {
            boolean isAlone = !welcomed && since == aloneSinceNanos;
            if (isAlone && (state == State.REGISTERING || state == State.SEARCHING)) {
                String words = "driver at " + driver + ": no answer for " + driverTimeout.toSeconds()
                        + " s (expected: within hearth.yarn.am.driverTimeout); the application has ended with it";
                LOG.error(words);
                finish(FinalOutcome.FAILED, words);
            }
        });
    }

    private void finish(FinalOutcome outcome, String words) {
        if (state == State.FINISHING || state == State.ENDED) {
            return;
        }
        boolean ordered = welcomed;
        move(State.FINISHING);
        line.finish(outcome, words)
                .whenComplete((done, failure) -> loop.inOrder(() -> {
                    send(RelayFinished::new);
                    endSoon(ordered ? Optional.empty() : Optional.of(ErrorCode.CLUSTER_LOST.failure(words)));
                }));
    }

    /** Ends when the last messages have arrived, or after a bound. */
    private void endSoon(Optional<HearthException> why) {
        lastWords = Optional.of(why);
        loop.schedule(LAST_WORDS_BOUND, () -> end(why));
        if (!welcomed) {
            end(why);
        }
    }

    private Optional<Optional<HearthException>> lastWords = Optional.empty();

    private void acknowledged(RelayAck ack) {
        outbox.acknowledged(ack.number());
        if (outbox.size() == 0) {
            lastWords.ifPresent(this::end);
        }
    }

    private void end(Optional<HearthException> why) {
        if (state != State.ENDED) {
            move(State.ENDED);
            line.abandon();
            ended.complete(why);
        }
    }

    private <M extends Record & Numbered> void send(LongFunction<M> maker) {
        M message = outbox.add(maker);
        if (welcomed) {
            transmit(message);
        }
    }

    private void transmit(Numbered message) {
        connected.ifPresent(peer ->
                peer.endpoint(RelayProtocol.DRIVER, RelayProtocol.PROTOCOL).send((Record) message));
    }

    @Override
    public void registered(LineRegistration given) {
        boolean isFirst = registration.isEmpty();
        registration = Optional.of(given);
        if (isFirst) {
            move(State.SEARCHING);
            greet();
        } else {
            send(number -> new RelayRegistered(number, given));
        }
    }

    @Override
    public void replaced(LineRegistration given) {
        registered(given); // a line in this process is never replaced
    }

    @Override
    public void reported(LineReport report) {
        boolean hasNews = !report.granted().isEmpty()
                || !report.ended().isEmpty()
                || !report.changes().isEmpty()
                || !report.preemption().equals(lastNotice);
        if (hasNews || outbox.size() < WAITING_MAX) {
            lastNotice = report.preemption();
            send(number -> RelayReported.of(number, report));
        }
    }

    @Override
    public void started(String id) {
        send(number -> new RelayStarted(number, id));
    }

    @Override
    public void startFailed(String id, String why) {
        send(number -> new RelayStartFailed(number, id, why));
    }

    @Override
    public void interrupted(String why) {
        send(number -> new RelayInterrupted(number, why));
    }

    @Override
    public void lost(HearthException why) {
        LOG.error("line to YARN", why);
        send(number -> new RelayLost(number, Failures.code(why), Failures.describe(why)));
        endSoon(Optional.of(why));
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("relay in state " + state + " (expected: one that leads to " + next + ")");
        }
        LOG.debug("relay {}: {} -> {}", container, state, next);
        state = next;
    }
}
