package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Load;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Say;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two envs of this process: failures, bounds, threads. The contract test covers what holds for every env. */
class NettyRpcEnvTest {
    /** Threads of earlier tests that are still idling; collected before this test creates its own. */
    private final Set<Thread> others = Thread.getAllStackTraces().keySet();

    private static final Duration LONG = TestEnvs.BOUND;

    private final TestEnvs envs = new TestEnvs();
    private final RpcEnv server = envs.listening();
    private final EventLoop serverLoop = envs.loop("server");
    private final RecordingEndpoint serverTalk = RecordingEndpoint.register(server, serverLoop);

    @AfterEach
    void closeAll() {
        envs.close();
    }

    @Test
    void listensOnTheConfiguredAddressWithARealPort() {
        RpcAddress address = server.address().orElseThrow();
        assertEquals("127.0.0.1", address.host());
        assertTrue(address.port() > 0);
    }

    @Test
    void refusesAPortInUse() {
        RpcAddress taken = server.address().orElseThrow();
        RpcSettings settings = new RpcSettings(
                Optional.of(new RpcSettings.Listen(taken.host(), taken.port())),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS,
                RpcTimes.DEFAULTS);
        HearthException failure = assertThrows(HearthException.class, () -> new NettyRpcEnvFactory().open(settings));
        assertEquals(ErrorCode.PORT_IN_USE.name(), failure.code());
        assertTrue(text(failure).startsWith(taken + ": "), () -> text(failure));
    }

    @Test
    void givesThePortBackWhenItCloses() {
        RpcAddress address = server.address().orElseThrow();
        server.close();
        RpcSettings same = new RpcSettings(
                Optional.of(new RpcSettings.Listen(address.host(), address.port())),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS,
                RpcTimes.DEFAULTS);
        assertEquals(server.address(), envs.open(same).address());
    }

    @Test
    void resolvesNames() throws Exception {
        RpcEnv client = envs.connecting();
        int port = server.address().orElseThrow().port();
        Peer peer = TestEnvs.await(client.connect(new RpcAddress("localhost", port)));
        assertEquals(new Answer(1), TestEnvs.await(ask(peer, Wish.ECHO, 1)));
        assertEquals("localhost:" + port, peer.remote());
        HearthException unknown = TestEnvs.failure(client.connect(new RpcAddress("no-such-host.invalid", port)));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), unknown.code());
        assertTrue(text(unknown).startsWith("no-such-host.invalid:"), () -> text(unknown));
    }

    @Test
    void keepsTheOrderOfEachOfManySenders() throws Exception {
        int threads = 8;
        int each = 2_000;
        EndpointRef ref = talk(connect());
        inThreads(threads, who -> IntStream.range(0, each).forEach(number -> ref.send(new Say("s" + who, number))));
        List<String> received = serverTalk.untilSize(threads * each);
        for (int who = 0; who < threads; who++) {
            String prefix = "s" + who + " ";
            List<String> expected =
                    IntStream.range(0, each).mapToObj(n -> prefix + n).toList();
            assertEquals(
                    expected,
                    received.stream().filter(h -> h.startsWith(prefix)).toList());
        }
    }

    @Test
    void servesManyAskersOverManyConnectionsBothWays() throws Exception {
        int threads = 6;
        int each = 300;
        RpcEnv client = envs.listening();
        RecordingEndpoint.register(client, envs.loop("client"));
        Queue<Throwable> problems = new ConcurrentLinkedQueue<>();
        inThreads(threads, who -> {
            try {
                boolean there = who % 2 == 0;
                RpcEnv from = there ? client : server;
                RpcEnv to = there ? server : client;
                Peer peer = TestEnvs.await(from.connect(to.address().orElseThrow()));
                List<CompletionStage<Answer>> answers = new ArrayList<>();
                for (int number = 0; number < each; number++) {
                    answers.add(ask(peer, Wish.ECHO, number));
                }
                for (int number = 0; number < each; number++) {
                    assertEquals(new Answer(number), TestEnvs.await(answers.get(number)));
                }
            } catch (Exception | AssertionError problem) {
                problems.add(problem);
            }
        });
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void takesTheFirstAnswerOnly() throws Exception {
        Peer peer = connect();
        assertEquals(new Answer(3), TestEnvs.await(ask(peer, Wish.TWICE, 3)));
        assertEquals(new Answer(4), TestEnvs.await(ask(peer, Wish.ECHO, 4)));
    }

    @Test
    void failsTheAskWhenTheEndpointThrows() throws Exception {
        HearthException failure = TestEnvs.failure(ask(connect(), Wish.THROW, 1));
        assertEquals(ErrorCode.INTERNAL.name(), failure.code());
        assertTrue(text(failure).contains("as wished"), () -> text(failure));
        CountDownLatch reported = new CountDownLatch(1);
        serverLoop.execute(reported::countDown);
        assertTrue(reported.await(LONG.toSeconds(), TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, envs.uncaught().peek());
    }

    @Test
    void failsTheAskWhenTheAnswerCannotBeSent() throws Exception {
        Peer peer = connect();
        HearthException tooLarge = TestEnvs.failure(ask(peer, Wish.TOO_MUCH, 1));
        assertEquals(ErrorCode.MESSAGE_TOO_LARGE.name(), tooLarge.code());
        HearthException foreign = TestEnvs.failure(ask(peer, Wish.ANOTHER_PROTOCOL, 1));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), foreign.code());
        assertEquals(new Answer(4), TestEnvs.await(ask(peer, Wish.ECHO, 4)), "the connection outlives both");
    }

    @Test
    void saysEndpointPeerAndTimeInEveryFailure() throws Exception {
        Peer peer = connect();
        String remote = server.address().orElseThrow().toString();
        HearthException late =
                TestEnvs.failure(talk(peer).ask(new Question(Wish.NOTHING, 1), Answer.class, Duration.ofMillis(20)));
        HearthException nowhere = TestEnvs.failure(peer.endpoint("nowhere", RecordingEndpoint.PROTOCOL)
                .ask(new Question(Wish.ECHO, 1), Answer.class, LONG));
        CompletionStage<Answer> underWay = ask(peer, Wish.NOTHING, 2);
        serverTalk.until(all -> all.contains("NOTHING 2"));
        peer.close();
        HearthException lost = TestEnvs.failure(underWay);
        assertEquals(
                List.of("ASK_TIMED_OUT", "NO_ENDPOINT", "PEER_LOST"),
                List.of(late.code(), nowhere.code(), lost.code()));
        assertTrue(text(nowhere).contains("[talk]"), () -> text(nowhere));
        for (HearthException failure : List.of(late, lost)) {
            assertTrue(text(failure).contains("endpoint talk at " + remote), () -> text(failure));
            assertTrue(text(failure).matches("(?s).*after \\d+ ms.*"), () -> text(failure));
        }
    }

    @Test
    void carriesMessagesUpToTheBoundAndFailsLargerAsks() throws Exception {
        EndpointRef ref = talk(connect());
        int most = TestEnvs.MEBIBYTE - 64;
        assertEquals(new Answer(most), TestEnvs.await(ref.ask(load(1, most), Answer.class, LONG)));
        HearthException failure = TestEnvs.failure(ref.ask(load(2, TestEnvs.MEBIBYTE), Answer.class, LONG));
        assertEquals(ErrorCode.MESSAGE_TOO_LARGE.name(), failure.code());
        assertTrue(text(failure).contains("hearth.rpc.message.maxSize"), () -> text(failure));
        assertEquals(new Answer(8), TestEnvs.await(ref.ask(load(3, 8), Answer.class, LONG)), "the connection stays");
        assertEquals(List.of("load 1", "load 3"), serverTalk.untilSize(2));
    }

    @Test
    void closesTheConnectionRatherThanLoseALargerSend() throws Exception {
        RpcEnv client = envs.connecting();
        RecordingEndpoint clientTalk = RecordingEndpoint.register(client, envs.loop("client"));
        EndpointRef ref = talk(TestEnvs.await(client.connect(server.address().orElseThrow())));
        ref.send(load(1, 8));
        ref.send(load(2, TestEnvs.MEBIBYTE));
        ref.send(load(3, 8));
        String lost = clientTalk.untilLost().get(0);
        assertTrue(lost.contains("endpoint talk could not be sent") && lost.contains("1048576 bytes"), lost);
        List<String> received = serverTalk.untilLost();
        assertEquals(
                List.of("load 1", "lost: the other side closed the connection"), received, "no message passes another");
    }

    @Test
    void refusesLargerFramesThanItTakes() throws Exception {
        RpcEnv client = envs.open(TestEnvs.settings(false, 4 * TestEnvs.MEBIBYTE, 10, LONG));
        RecordingEndpoint clientTalk = RecordingEndpoint.register(client, envs.loop("client"));
        Peer peer = TestEnvs.await(client.connect(server.address().orElseThrow()));
        HearthException failure = TestEnvs.failure(talk(peer).ask(load(1, 3 * TestEnvs.MEBIBYTE), Answer.class, LONG));
        assertEquals(ErrorCode.PEER_LOST.name(), failure.code());
        clientTalk.untilLost();
        String reason = serverTalk.untilLost().get(0);
        assertTrue(reason.contains("expected: 1 to 1048576"), reason);
    }

    @Test
    void boundsTheAsksUnderWay() throws Exception {
        RpcEnv client = envs.open(TestEnvs.settings(false, TestEnvs.MEBIBYTE, 2, LONG));
        Peer peer = TestEnvs.await(client.connect(server.address().orElseThrow()));
        CompletionStage<Answer> first = ask(peer, Wish.NOTHING, 1);
        CompletionStage<Answer> second = ask(peer, Wish.NOTHING, 2);
        HearthException failure = TestEnvs.failure(ask(peer, Wish.ECHO, 3));
        assertTrue(text(failure).contains("hearth.rpc.asksPerPeerMax = 2"), () -> text(failure));
        peer.close();
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(first).code());
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(second).code());
    }

    @Test
    void losesAPeerThatDoesNotKeepUpAndNothingOutOfOrder() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        serverLoop.execute(() -> awaitQuietly(release));
        RpcEnv client = envs.connecting();
        RecordingEndpoint clientTalk = RecordingEndpoint.register(client, envs.loop("client"));
        EndpointRef ref = talk(TestEnvs.await(client.connect(server.address().orElseThrow())));
        int sent = 0;
        int bytes = TestEnvs.MEBIBYTE / 4;
        while (!clientTalk.hasReceived("lost") && sent < 4_000) { // ends when the outbox is full
            ref.send(load(sent++, bytes));
        }
        String reason = clientTalk.untilLost().get(0);
        assertTrue(reason.contains("wait to be sent"), reason);
        assertEquals(List.of(), serverTalk.untilSize(0));
        release.countDown();
        List<String> received = serverTalk.untilLost();
        assertTrue(received.size() > 1, received::toString);
        for (int number = 0; number < received.size() - 1; number++) {
            assertEquals("load " + number, received.get(number));
        }
    }

    @Test
    void resumesReadingOnceASlowEndpointHasCaughtUp() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        serverLoop.execute(() -> awaitQuietly(release));
        RpcEnv client = envs.open(TestEnvs.settings(false, 16 * TestEnvs.MEBIBYTE, 1_000, LONG));
        Peer peer = TestEnvs.await(client.connect(server.address().orElseThrow()));
        List<CompletionStage<Answer>> answers = new ArrayList<>();
        int bytes = TestEnvs.MEBIBYTE / 4;
        for (int number = 0; number < 100; number++) { // 25 MiB: the server accepts 16, the client queues up to 32
            answers.add(talk(peer).ask(load(number, bytes), Answer.class, LONG));
        }
        release.countDown();
        for (CompletionStage<Answer> answer : answers) {
            assertEquals(new Answer(bytes), TestEnvs.await(answer));
        }
    }

    @Test
    void closesFromItsOwnThreadsAndFromManyAtOnce() throws Exception {
        RpcEnv client = envs.connecting();
        Peer peer = TestEnvs.await(client.connect(server.address().orElseThrow()));
        CompletionStage<Answer> underWay = ask(peer, Wish.NOTHING, 1);
        CompletionStage<Void> closed =
                ask(peer, Wish.ECHO, 1).thenAccept(answer -> client.close()); // most likely on an I/O thread
        TestEnvs.await(closed);
        assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(underWay).code());
        inThreads(4, who -> server.close());
        client.close();
        assertEquals(
                ErrorCode.PEER_UNREACHABLE.name(),
                TestEnvs.failure(client.connect(new RpcAddress("localhost", 1))).code());
        assertThrows(
                IllegalStateException.class,
                () -> client.register("late", RecordingEndpoint.PROTOCOL, serverLoop, new RecordingEndpoint()));
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("hearth-rpc") && !others.contains(thread)) {
                thread.join(LONG.toMillis());
                assertTrue(!thread.isAlive(), thread::getName);
            }
        }
    }

    @Test
    void failsAttemptsUnderWayWhenItCloses() throws Exception {
        try (SilentServer silent = new SilentServer()) {
            RpcEnv client = envs.connecting();
            CompletionStage<Peer> attempt = client.connect(silent.address());
            silent.awaitConnection();
            client.close();
            assertEquals(
                    ErrorCode.PEER_UNREACHABLE.name(), TestEnvs.failure(attempt).code());
        }
    }

    @Test
    void survivesClosingUnderLoad() throws Exception {
        for (int round = 0; round < 10; round++) {
            RpcEnv client = envs.listening();
            RecordingEndpoint.register(client, serverLoop);
            Peer there = TestEnvs.await(client.connect(server.address().orElseThrow()));
            Peer back = TestEnvs.await(server.connect(client.address().orElseThrow()));
            Queue<CompletionStage<Answer>> answers = new ConcurrentLinkedQueue<>();
            CountDownLatch some = new CountDownLatch(200);
            Thread closing = new Thread(() -> {
                awaitQuietly(some);
                client.close();
            });
            closing.start();
            inThreads(3, who -> {
                for (int number = 0; number < 300; number++) {
                    answers.add(ask(who == 0 ? back : there, Wish.ECHO, number));
                    some.countDown();
                }
            });
            closing.join(LONG.toMillis());
            for (CompletionStage<Answer> answer : answers) { // each ends, with an answer or a failure
                String end = TestEnvs.await(answer.handle((a, f) -> f == null ? "answered" : String.valueOf(f)));
                assertTrue(end.equals("answered") || end.contains("ask of endpoint talk"), end);
            }
        }
    }

    private Peer connect() throws Exception {
        return TestEnvs.await(envs.connecting().connect(server.address().orElseThrow()));
    }

    private static EndpointRef talk(Peer peer) {
        return peer.endpoint(RecordingEndpoint.ENDPOINT, RecordingEndpoint.PROTOCOL);
    }

    private static CompletionStage<Answer> ask(Peer peer, Wish wish, int number) {
        return talk(peer).ask(new Question(wish, number), Answer.class, LONG);
    }

    private static Load load(int number, int bytes) {
        return new Load(number, Bytes.owning(new byte[bytes]));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("latch: still closed after " + LONG);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void inThreads(int count, IntConsumer work) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int who = i;
            Thread thread = new Thread(() -> work.accept(who), "test-" + who);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(LONG.toMillis());
            assertTrue(!thread.isAlive(), thread::getName);
        }
    }

    private static String text(HearthException failure) {
        return String.valueOf(failure.getMessage());
    }
}
