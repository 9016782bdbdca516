package dev.hearth.yarn.internal.relay;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
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
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Line of a driver whose application master is a relay in a container. Waits for the relay to connect, and for its
 * successors. Owned by the application's event loop; lives until {@link #finish} or {@link #abandon}.
 */
public final class RelayLine implements ContainerLine {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLine.class);
    /** Maximum time that the end of an application takes: the relay's own bound, and a moment. */
    private static final Duration FINISH_BOUND = Duration.ofSeconds(8);

    private final EventLoop loop;
    private final RpcScope scope;
    private final UnacknowledgedMessages outbox = new UnacknowledgedMessages();
    private final ReceivedNumbers inbox = new ReceivedNumbers();
    private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
    private Optional<LineListener> listener = Optional.empty();
    private Optional<Registration> endpoint = Optional.empty();
    private Optional<Peer> relay = Optional.empty();
    private Optional<Return> returning = Optional.empty();
    private Optional<RelayFinish> ending = Optional.empty();
    private String url = "";
    private int attempt; // 0 until the first relay has come
    private boolean closed;

    /** Registration of a relay that has connected again, to be reported after the messages up to {@code number}. */
    private record Return(long number, LineRegistration registration) {}

    /** {@code scope} is that of the relay, {@link RelayScope}. */
    public RelayLine(EventLoop loop, RpcScope scope) {
        this.loop = loop;
        this.scope = scope;
    }

    @Override
    public void open(LineListener owner) {
        loop.requireInLoop();
        listener = Optional.of(owner);
        endpoint = Optional.of(scope.register(RelayProtocol.DRIVER, RelayProtocol.PROTOCOL, loop, receiver()));
    }

    private Receiver receiver() {
        return Receiver.of(RelayProtocol.DRIVER)
                .answer(RelayHello.class, this::hello)
                .on(RelayAck.class, (ack, peer) -> acknowledged(ack, peer))
                .on(
                        RelayRegistered.class,
                        (event, peer) -> accept(event, peer, owner -> owner.registered(event.registration())))
                .on(RelayReported.class, (event, peer) -> accept(event, peer, owner -> owner.reported(event.report())))
                .on(RelayStarted.class, (event, peer) -> accept(event, peer, owner -> owner.started(event.container())))
                .on(
                        RelayStartFailed.class,
                        (event, peer) ->
                                accept(event, peer, owner -> owner.startFailed(event.container(), event.why())))
                .on(
                        RelayInterrupted.class,
                        (event, peer) -> accept(event, peer, owner -> owner.interrupted(event.why())))
                .on(
                        RelayLost.class,
                        (event, peer) -> accept(event, peer, owner -> {
                            // YARN may start another relay; if it does not, it reports the end of the application
                            LOG.warn("relay {}: {}", attempt, event.why());
                            owner.interrupted(event.why());
                        }))
                .on(RelayFinished.class, (event, peer) -> finished(event, peer))
                .onPeerLost(this::lost)
                .build();
    }

    /** Handles that a relay has connected: the first one, the present one again, or its successor. */
    private RelayWelcome hello(RelayHello hello, Peer peer) {
        if (hello.attempt() < attempt) {
            throw ErrorCode.APPLICATION_UNKNOWN.failure("application master of attempt " + hello.attempt()
                    + ": another one has taken its place (expected: attempt " + attempt + ")");
        }
        relay = Optional.of(peer);
        returning = Optional.empty();
        if (hello.attempt() == attempt) {
            outbox.acknowledged(hello.received());
            returning = Optional.of(new Return(hello.sent(), hello.registration()));
        } else {
            boolean isFirst = attempt == 0;
            attempt = hello.attempt();
            inbox.reset();
            if (!isFirst) {
                LOG.warn("relay {}: has taken the place of an earlier one, in {}", attempt, hello.container());
                outbox.reset();
                renew();
            }
            // in an action of its own, so that the relay has its answer first
            report(owner -> {
                if (isFirst) {
                    owner.registered(hello.registration());
                } else {
                    owner.replaced(hello.registration());
                }
            });
        }
        outbox.waiting().forEach(this::transmit);
        long received = inbox.last();
        reportReturn();
        return new RelayWelcome(received);
    }

    /** Repeats to a new relay what holds for all of them. */
    private void renew() {
        if (!url.isEmpty()) {
            String address = url;
            outbox.add(number -> new RelayUrl(number, address));
        }
        ending.ifPresent(end -> outbox.add(number -> new RelayFinish(number, end.outcome(), end.words())));
    }

    private void accept(Numbered event, Peer peer, Consumer<LineListener> report) {
        if (!isRelay(peer)) {
            return; // of an earlier relay, or of a connection that is gone
        }
        try {
            if (inbox.accepts(event.number())) {
                report(report);
            }
            peer.endpoint(RelayProtocol.RELAY, RelayProtocol.PROTOCOL).send(new RelayAck(event.number()));
            reportReturn();
        } catch (HearthException gap) {
            LOG.warn("relay {}: {}", attempt, Failures.describe(gap));
            peer.close();
        }
    }

    private void reportReturn() {
        if (returning.filter(back -> back.number() <= inbox.last()).isPresent()) {
            LineRegistration again = returning.get().registration();
            returning = Optional.empty();
            report(owner -> owner.registered(again));
        }
    }

    private void acknowledged(RelayAck ack, Peer peer) {
        if (isRelay(peer)) {
            outbox.acknowledged(ack.number());
        }
    }

    private void finished(RelayFinished event, Peer peer) {
        boolean isNew = isRelay(peer);
        accept(event, peer, owner -> {});
        if (isNew) {
            finished.complete(true);
        }
    }

    private boolean isRelay(Peer peer) {
        return relay.filter(present -> present == peer).isPresent();
    }

    private void lost(Peer peer, String reason) {
        if (isRelay(peer)) {
            relay = Optional.empty();
            report(owner -> owner.interrupted("application master of attempt " + attempt + ": " + reason));
        }
    }

    /** Reports that the application is over at the ResourceManager; called by the watcher of its state. */
    public void over(HearthException why) {
        loop.requireInLoop();
        finished.complete(true);
        report(owner -> owner.lost(why));
    }

    private void report(Consumer<LineListener> event) {
        loop.execute(() -> {
            if (!closed) {
                listener.ifPresent(event);
            }
        });
    }

    @Override
    public void order(LineOrders orders) {
        send(number -> new RelayRequest(number, orders));
    }

    @Override
    public void beat(Duration delay) {
        relay.ifPresent(peer ->
                peer.endpoint(RelayProtocol.RELAY, RelayProtocol.PROTOCOL).send(new RelayBeat(delay.toMillis())));
    }

    @Override
    public void start(GrantedContainer container, ContainerLaunch launch) {
        send(number -> new RelayStart(number, container, launch));
    }

    @Override
    public void stop(GrantedContainer container) {
        send(number -> new RelayStop(number, container));
    }

    @Override
    public void trackingUrl(String address) {
        url = address;
        send(number -> new RelayUrl(number, address));
    }

    @Override
    public CompletionStage<Void> finish(FinalOutcome outcome, String words) {
        finishKnown(outcome, words);
        return finished.thenAccept(known -> {});
    }

    /** As {@link #finish}; the result says whether the relay has ended the application. */
    public CompletionStage<Boolean> finishKnown(FinalOutcome outcome, String words) {
        if (!closed) {
            send(number -> {
                RelayFinish end = new RelayFinish(number, outcome, words);
                ending = Optional.of(end);
                return end;
            });
            closed = true;
            loop.schedule(FINISH_BOUND, () -> finished.complete(false));
            finished.minimalCompletionStage().thenRun(() -> loop.inOrder(this::close));
        }
        return finished.minimalCompletionStage();
    }

    @Override
    public void abandon() {
        closed = true;
        close();
        finished.complete(true);
    }

    private void close() {
        endpoint.ifPresent(Registration::close);
        endpoint = Optional.empty();
        relay = Optional.empty();
    }

    private <M extends Record & Numbered> void send(LongFunction<M> maker) {
        if (!closed) {
            transmit(outbox.add(maker));
        }
    }

    private void transmit(Numbered message) {
        relay.ifPresent(peer ->
                peer.endpoint(RelayProtocol.RELAY, RelayProtocol.PROTOCOL).send((Record) message));
    }
}
