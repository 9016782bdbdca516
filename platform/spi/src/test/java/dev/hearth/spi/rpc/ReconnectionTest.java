package dev.hearth.spi.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What becomes of messages that wait for a connection. */
class ReconnectionTest {
    private static final Protocol PROTOCOL = Protocol.named("words", MethodHandles.lookup())
            .message(1, Word.class)
            .build();

    private final List<Record> sent = new ArrayList<>();
    private final List<Integer> dropped = new ArrayList<>();
    private final CompletableFuture<Peer> connecting = new CompletableFuture<>();
    private final Reconnection reconnection =
            new Reconnection(new RpcAddress("somewhere", 1), RpcTimes.DEFAULTS, new Line(), () -> {
                throw new AssertionError("it has not retired");
            });

    record Word(String text) {}

    @Test
    void handsOverWhatWaitsBehindAMessageThatCannotBeSent() {
        EndpointRef ref = reconnection.ref("listener", PROTOCOL);
        ref.send(new Word("first"));
        ref.send(new Word("unsendable"));
        ref.send(new Word("third"));
        connecting.complete(new Other());
        ref.send(new Word("later"));
        assertEquals(List.of(new Word("first"), new Word("third"), new Word("later")), sent);
        assertEquals(List.of(1), dropped);
    }

    private final class Line implements Reconnections.Line {
        @Override
        public CompletionStage<Peer> connect() {
            return connecting;
        }

        @Override
        public EventLoop.Timeout schedule(Duration delay, Runnable action) {
            return () -> {};
        }

        @Override
        public Ticker ticker() {
            return Ticker.system();
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

    /** Takes everything but one word, as one that has no written form is refused. */
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
            throw new UnsupportedOperationException("nobody asks here");
        }

        @Override
        public void close() {
            // nothing to end
        }
    }
}
