package dev.hearth.spi.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.time.Ticker;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Connections to many addresses, most of them idle, in virtual time. */
class ReconnectionsTest {
    private static final Protocol PROTOCOL = Protocol.named("words", MethodHandles.lookup())
            .message(1, Word.class)
            .build();
    private static final int MANY = 10_000;
    private static final Duration LONG = RpcTimes.DEFAULTS.reconnectLast();
    private static final int ASKED_AGAIN_MAX = 10_000;

    private final List<CompletableFuture<Peer>> attempts = new ArrayList<>();
    private final Queue<Runnable> planned = new ArrayDeque<>();
    private final List<Record> sent = new ArrayList<>();
    private final List<Integer> dropped = new ArrayList<>();
    private final Reconnections reconnections = new Reconnections(RpcTimes.DEFAULTS, address -> new Line());
    private long now;

    record Word(String text) {}

    @Test
    void dropsConnectionsThatWereIdleForLong() {
        for (int i = 0; i < MANY; i++) {
            ref(i).send(new Word("to a closed port"));
            attempts.get(i).completeExceptionally(ErrorCode.PEER_UNREACHABLE.failure("host: not reachable"));
            now += LONG.toNanos() / 10;
            assertTrue(
                    reconnections.size() <= 2 * Reconnections.RETAINED_MIN,
                    () -> reconnections.size() + " are retained");
        }
    }

    @Test
    void keepsRecentlyFailedConnectionsAndTheirBackOff() {
        EndpointRef first = ref(0);
        first.send(new Word("to a closed port"));
        attempts.get(0).completeExceptionally(ErrorCode.PEER_UNREACHABLE.failure("host: not reachable"));
        makeMany();
        assertTrue(reconnections.size() > MANY);
        ref(0).send(new Word("once more"));
        assertEquals(1, attempts.size(), "it waits for its next attempt");
        assertEquals(1, planned.size());
    }

    @Test
    void keepsConnectedAndConnectingConnections() {
        ref(0).send(new Word("first"));
        attempts.get(0).complete(new Other());
        ref(1).send(new Word("waiting"));
        now += LONG.toNanos();
        makeMany();
        ref(0).send(new Word("second"));
        ref(1).send(new Word("fourth"));
        assertEquals(2, attempts.size(), "no more connections");
        attempts.get(1).complete(new Other());
        assertEquals(List.of(new Word("first"), new Word("second"), new Word("waiting"), new Word("fourth")), sent);
    }

    @Test
    void deliversMessagesQueuedAfterAnUnsendableOne() {
        EndpointRef ref = ref(0);
        ref.send(new Word("first"));
        ref.send(new Word("unsendable"));
        ref.send(new Word("third"));
        attempts.get(0).complete(new Other());
        ref.send(new Word("later"));
        assertEquals(List.of(new Word("first"), new Word("third"), new Word("later")), sent);
        assertEquals(List.of(1), dropped);
    }

    @Test
    void letsRefsOutliveTheirConnection() {
        EndpointRef early = ref(0);
        Other lost = new Other();
        early.send(new Word("first"));
        attempts.get(0).complete(lost);
        reconnections.lost(lost);
        for (int round = 1; round <= 3; round++) {
            now += LONG.toNanos();
            makeMany();
            now += LONG.toNanos();
            makeMany();
            early.send(new Word("again"));
            ref(0).send(new Word("by another"));
            assertEquals(1 + round, attempts.size(), "both share one connection");
            Other found = new Other();
            attempts.get(round).complete(found);
            early.send(new Word("at once"));
            assertEquals(1 + 3 * round, sent.size());
            assertEquals(new Word("at once"), sent.get(sent.size() - 1));
            reconnections.lost(found);
        }
        reconnections.close("closed by the test");
        CompletionStage<Word> late = early.ask(new Word("too late"), Word.class, LONG);
        assertEquals(ErrorCode.PEER_LOST, code(late));
    }

    @Test
    void refusesMessagesBeyondTheLimitAfterADelay() {
        EndpointRef ref = ref(0);
        for (int i = 0; i < Reconnection.WAITING_MESSAGES_MAX; i++) {
            ref.send(new Word("waiting"));
        }
        AtomicInteger refusals = new AtomicInteger();
        askAgainAndAgain(ref, refusals);
        assertEquals(0, refusals.get(), "a caller that retries immediately would occupy the thread forever");
        runScheduled();
        assertEquals(1, refusals.get());
        for (int i = 0; i < MANY; i++) {
            ref.send(new Word("too many"));
        }
        runScheduled();
        assertEquals(List.of(1), dropped, "the first is reported");
        attempts.get(0).completeExceptionally(ErrorCode.PEER_UNREACHABLE.failure("host: not reachable"));
        assertEquals(List.of(1, Reconnection.WAITING_MESSAGES_MAX, MANY - 1), dropped, "and the others together");
    }

    @Test
    void refusesMessagesBeyondTheLimitWhenItCloses() {
        EndpointRef ref = ref(0);
        for (int i = 0; i < Reconnection.WAITING_MESSAGES_MAX; i++) {
            ref.send(new Word("waiting"));
        }
        CompletionStage<Word> asked = ref.ask(new Word("too many"), Word.class, LONG);
        assertFalse(asked.toCompletableFuture().isDone());
        reconnections.close("closed by the test");
        assertEquals(ErrorCode.TOO_MANY_ASKS, code(asked));
    }

    private EndpointRef ref(int number) {
        return reconnections.ref(new EndpointUri("listener", new RpcAddress("host-" + number, 1)), PROTOCOL);
    }

    private void makeMany() {
        for (int i = 0; i < MANY; i++) {
            ref(i + 2); // so that some are older than others
        }
    }

    private void askAgainAndAgain(EndpointRef ref, AtomicInteger refusals) {
        ref.ask(new Word("asked"), Word.class, LONG).whenComplete((answer, failure) -> {
            if (refusals.incrementAndGet() < ASKED_AGAIN_MAX) {
                askAgainAndAgain(ref, refusals);
            }
        });
    }

    /** Runs the timers that are scheduled now, but not those they schedule. */
    private void runScheduled() {
        List<Runnable> due = List.copyOf(planned);
        planned.clear();
        due.forEach(Runnable::run);
    }

    private static ErrorCode code(CompletionStage<?> failed) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        failed.whenComplete((answer, thrown) -> failure.complete(thrown));
        return Failures.code(failure.join());
    }

    private final class Line implements Reconnections.AddressConnector {
        @Override
        public CompletionStage<Peer> connect() {
            CompletableFuture<Peer> attempt = new CompletableFuture<>();
            attempts.add(attempt);
            return attempt;
        }

        @Override
        public EventLoop.Timeout schedule(Duration delay, Runnable action) {
            planned.add(action);
            return () -> planned.remove(action);
        }

        @Override
        public Ticker ticker() {
            return new Ticker() {
                @Override
                public long nanos() {
                    return now;
                }

                @Override
                public Instant wall() {
                    return Instant.EPOCH.plusNanos(now);
                }
            };
        }

        @Override
        public RandomGenerator random() {
            return new Random(1);
        }

        @Override
        public void dropped(int messages, Throwable reason) {
            dropped.add(messages);
        }
    }

    /** Peer that rejects one message, as if it could not be encoded. */
    private final class Other implements Peer, EndpointRef {
        @Override
        public long id() {
            return 1;
        }

        @Override
        public String remote() {
            return "somewhere";
        }

        @Override
        public EndpointRef endpoint(String name, Protocol protocol) {
            return this;
        }

        @Override
        public void send(Record message) {
            if (message.equals(new Word("unsendable"))) {
                throw ErrorCode.MALFORMED_MESSAGE.failure("word: unsendable (expected: another one)");
            }
            sent.add(message);
        }

        @Override
        public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
            throw new UnsupportedOperationException("not asked in this test");
        }

        @Override
        public void close() {
            // nothing to release
        }
    }
}
