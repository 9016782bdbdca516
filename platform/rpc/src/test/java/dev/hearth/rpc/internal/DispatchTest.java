package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Load;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Say;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dispatch of endpoints, bounds on waiting messages, and the order of calls in an endpoint's life. */
class DispatchTest {
    private static final String ENDPOINT = "counted";
    private static final int MANY = 2_000;
    private static final int SENDERS = 4;

    private final TestEnvs envs = new TestEnvs();
    private final RpcEnv server = envs.listening();

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "inline", "own thread"})
    void runsOneMessageAtATimeInTheOrderOfEachPeer(String where) throws Exception {
        Counting counting = new Counting(SENDERS * MANY);
        server.register(ENDPOINT, RecordingEndpoint.PROTOCOL, dispatch(where), counting);
        List<Thread> senders = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            EndpointRef ref = ref(envs.connecting());
            String name = "sender-" + sender;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < MANY; i++) {
                    ref.send(new Say(name, i));
                }
            });
            thread.start();
            senders.add(thread);
        }
        for (Thread sender : senders) {
            sender.join(TestEnvs.BOUND.toMillis());
        }
        TestEnvs.await(counting.all);
        assertEquals(1, counting.atOnceMax.get());
        for (int sender = 0; sender < SENDERS; sender++) {
            String name = "sender-" + sender;
            List<Integer> numbers = counting.received.stream()
                    .filter(sent -> sent.who().equals(name))
                    .map(Say::number)
                    .toList();
            for (int i = 0; i < MANY; i++) {
                assertEquals(i, numbers.get(i));
            }
        }
    }

    @Test
    void refusesAsksWhenTooManyMessagesWait() throws Exception {
        Blocked blocked = new Blocked();
        server.register(
                ENDPOINT, RecordingEndpoint.PROTOCOL, Dispatch.ownThread().waitingAtMost(2), blocked);
        EndpointRef ref = ref(envs.connecting());
        CompletionStage<Answer> first = ask(ref, 1);
        TestEnvs.await(blocked.entered);
        CompletionStage<Answer> second = ask(ref, 2);
        CompletionStage<Answer> third = ask(ref, 3);
        CompletionStage<Answer> fourth = ask(ref, 4);
        assertEquals(ErrorCode.ENDPOINT_BUSY.name(), TestEnvs.failure(fourth).code());
        blocked.goOn.countDown();
        assertEquals(new Answer(1), TestEnvs.await(first));
        assertEquals(new Answer(2), TestEnvs.await(second));
        assertEquals(new Answer(3), TestEnvs.await(third));
        assertEquals(new Answer(5), TestEnvs.await(ask(ref, 5)), "it takes asks again");
    }

    @Test
    void slowsDownFastSendersWithoutLosingMessages() throws Exception {
        Blocked blocked = new Blocked();
        server.register(
                ENDPOINT, RecordingEndpoint.PROTOCOL, Dispatch.ownThread().waitingAtMost(10), blocked);
        RpcEnv client = envs.connecting();
        EndpointRef ref = ref(client);
        CompletionStage<Answer> first = ask(ref, 1);
        TestEnvs.await(blocked.entered);
        String body = "x".repeat(1_000);
        for (int i = 0; i < MANY; i++) {
            ref.send(new Say(body, i));
        }
        envs.awaitTrue(() -> server.snapshot().peers().stream().anyMatch(peer -> peer.paused()));
        EndpointRef other = ref(envs.connecting());
        assertEquals(
                ErrorCode.ENDPOINT_BUSY.name(), TestEnvs.failure(ask(other, 2)).code(), "others are read from");
        blocked.goOn.countDown();
        assertEquals(new Answer(1), TestEnvs.await(first));
        envs.awaitTrue(() -> blocked.sent.get() == MANY);
        assertEquals(new Answer(7), TestEnvs.await(ask(ref, 7)), "it takes asks again");
        assertFalse(server.snapshot().peers().stream().anyMatch(peer -> peer.paused()));
    }

    @Test
    void boundsWhatWaitsWithinTheProcessAsBetweenProcesses() throws Exception {
        Blocked blocked = new Blocked();
        server.register(
                ENDPOINT, RecordingEndpoint.PROTOCOL, Dispatch.ownThread().waitingAtMost(1), blocked);
        Peer self = TestEnvs.await(server.self());
        EndpointRef ref = self.endpoint(ENDPOINT, RecordingEndpoint.PROTOCOL);
        Load load = new Load(1, Bytes.owning(new byte[TestEnvs.MEBIBYTE / 2]));
        int within = 20; // 10 MiB
        for (int i = 0; i < within; i++) {
            ref.send(load);
        }
        TestEnvs.await(blocked.entered);
        // at the sender, not at the process that does not read
        envs.awaitTrue(() -> bytesQueued() > 4L * TestEnvs.MEBIBYTE);
        blocked.goOn.countDown();
        envs.awaitTrue(() -> blocked.sent.get() == within);
        envs.awaitTrue(() -> bytesQueued() == 0);
        assertEquals(new Answer(1), TestEnvs.await(ask(ref, 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "inline", "own thread"})
    void tellsTheWholeLifeInOrder(String where) throws Exception {
        Life life = new Life();
        Peer early = TestEnvs.await(envs.connecting().connect(server.address().orElseThrow()));
        envs.awaitTrue(() -> server.snapshot().peers().size() == 1);
        Registration registration = server.register(ENDPOINT, RecordingEndpoint.PROTOCOL, dispatch(where), life);
        early.endpoint(ENDPOINT, RecordingEndpoint.PROTOCOL).send(new Say("early", 1));
        TestEnvs.await(life.until("early 1"));
        early.close();
        TestEnvs.await(life.until("lost"));
        TestEnvs.await(envs.connecting().connect(server.address().orElseThrow()));
        TestEnvs.await(life.until("connected"));
        registration.close();
        TestEnvs.await(life.until("stopped"));
        assertEquals(
                List.of("started", "connected", "early 1", "lost", "connected", "stopped"), List.copyOf(life.received));
    }

    @Test
    void letsAnEndpointHandleItsOwnFailures() throws Exception {
        CompletableFuture<RuntimeException> handled = new CompletableFuture<>();
        server.register(ENDPOINT, RecordingEndpoint.PROTOCOL, Dispatch.inline(), new RpcEndpoint() {
            @Override
            public void receive(Record message, RpcCall call) {
                throw new IllegalStateException("meant to");
            }

            @Override
            public void peerLost(Peer peer, String reason) {}

            @Override
            public void failed(RuntimeException failure) {
                handled.complete(failure);
            }
        });
        EndpointRef ref = ref(envs.connecting());
        assertEquals(ErrorCode.INTERNAL.name(), TestEnvs.failure(ask(ref, 1)).code());
        assertEquals("meant to", TestEnvs.await(handled).getMessage());
        assertTrue(server.snapshot().scopes().get(0).endpoints().get(0).failed() > 0);
    }

    private EndpointRef ref(RpcEnv client) throws Exception {
        return TestEnvs.await(client.connect(server.address().orElseThrow()))
                .endpoint(ENDPOINT, RecordingEndpoint.PROTOCOL);
    }

    private long bytesQueued() {
        return server.snapshot().peers().stream()
                .mapToLong(RpcSnapshot.PeerState::bytesQueued)
                .sum();
    }

    private static CompletionStage<Answer> ask(EndpointRef ref, int number) {
        return ref.ask(new Question(Wish.ECHO, number), Answer.class, TestEnvs.BOUND);
    }

    private static Dispatch dispatch(String where) {
        return switch (where) {
            case "shared" -> Dispatch.shared();
            case "inline" -> Dispatch.inline();
            default -> Dispatch.ownThread();
        };
    }

    /** Counts concurrent calls. */
    private static final class Counting implements RpcEndpoint {
        private final Queue<Say> received = new ConcurrentLinkedQueue<>();
        private final AtomicInteger atOnce = new AtomicInteger();
        private final AtomicInteger atOnceMax = new AtomicInteger();
        private final AtomicInteger count = new AtomicInteger();
        private final CompletableFuture<Void> all = new CompletableFuture<>();
        private final int expected;

        Counting(int expected) {
            this.expected = expected;
        }

        @Override
        public void receive(Record message, RpcCall call) {
            atOnceMax.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            received.add((Say) message);
            atOnce.decrementAndGet();
            if (count.incrementAndGet() == expected) {
                all.complete(null);
            }
        }

        @Override
        public void peerLost(Peer peer, String reason) {}
    }

    /** Blocks at its first message until it is released. */
    private static final class Blocked implements RpcEndpoint {
        private final CompletableFuture<Void> entered = new CompletableFuture<>();
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicInteger sent = new AtomicInteger();

        @Override
        public void receive(Record message, RpcCall call) {
            entered.complete(null);
            try {
                assertTrue(goOn.await(TestEnvs.BOUND.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            if (message instanceof Question question) {
                call.reply(new Answer(question.number()));
            } else {
                sent.incrementAndGet();
            }
        }

        @Override
        public void peerLost(Peer peer, String reason) {}
    }

    /** Records the calls that an endpoint receives. */
    private static final class Life implements RpcEndpoint {
        private final Queue<String> received = new ConcurrentLinkedQueue<>();
        private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();

        CompletionStage<Void> until(String last) {
            Waiter waiter = new Waiter(last, new CompletableFuture<>());
            waiters.add(waiter);
            look();
            return waiter.done();
        }

        @Override
        public void started() {
            add("started");
        }

        @Override
        public void receive(Record message, RpcCall call) {
            Say sent = (Say) message;
            add(sent.who() + " " + sent.number());
        }

        @Override
        public void peerConnected(Peer peer) {
            add("connected");
        }

        @Override
        public void peerLost(Peer peer, String reason) {
            add("lost");
        }

        @Override
        public void stopped() {
            add("stopped");
        }

        private void add(String what) {
            received.add(what);
            look();
        }

        private void look() {
            List<String> now = List.copyOf(received);
            String last = now.isEmpty() ? "" : now.get(now.size() - 1);
            waiters.stream()
                    .filter(waiter -> waiter.last().equals(last))
                    .forEach(waiter -> waiter.done().complete(null));
        }

        private record Waiter(String last, CompletableFuture<Void> done) {}
    }
}
