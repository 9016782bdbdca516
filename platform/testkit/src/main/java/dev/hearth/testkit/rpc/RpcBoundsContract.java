package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskInVain;
import dev.hearth.testkit.rpc.ContractMessages.Count;
import dev.hearth.testkit.rpc.ContractMessages.Everything;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that every message system must pass, on limits, back-pressure, timeouts and aborts. */
public abstract class RpcBoundsContract extends RpcContract {
    private static final String ENDPOINT = "diary";
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int WAITING_MAX = 4;
    private static final int ASKS_MAX = 2;
    private static final int MANY = 100;
    private static final int ASKED_AGAIN_MAX = 100_000;
    private static final int LARGE_ONES = 20; // more than fits into the queue of one peer

    @Test
    void refusesAsksButDropsNoSendsWhenTheQueueIsFull() throws Exception {
        Party server = listening();
        Party client = connecting();
        LifecycleRecorder diary = new LifecycleRecorder();
        GatedEventLoop held =
                // two more, because the calls started and peerConnected are queued as well
                new GatedEventLoop(server.loop(), WAITING_MAX + 2);
        server.env()
                .register(ENDPOINT, ContractMessages.PROTOCOL, Dispatch.on(held).waitingAtMost(WAITING_MAX), diary);
        EndpointRef sending =
                ref(await(client.env().connect(server.env().address().orElseThrow())));
        IntStream.range(0, MANY).forEach(number -> sending.send(new Count(number)));
        await(held.full());
        EndpointRef asking =
                ref(await(client.env().connect(server.env().address().orElseThrow())));
        HearthException busy = failure(ask(asking, new Ask(1)));
        assertEquals(ErrorCode.ENDPOINT_BUSY.name(), busy.code());
        assertTrue(String.valueOf(busy.getMessage()).contains(ENDPOINT), busy::getMessage);
        held.release();
        List<String> lines = await(diary.untilHolds("count " + (MANY - 1)));
        assertEquals(
                IntStream.range(0, MANY).mapToObj(number -> "count " + number).toList(),
                lines.stream().filter(line -> line.startsWith("count")).toList());
        assertEquals(new Answer(2), await(ask(asking, new Ask(2))));
        assertEquals(new Answer(3), await(ask(sending, new Ask(3))));
    }

    @Test
    void failsAnAbortedAskAndIgnoresItsAnswer() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS);
        AbortableAsk<Answer> ask = pair.ref.askAbortable(new AskInVain(), Answer.class, PATIENCE);
        await(pair.diary.untilHolds("ask in vain"));
        ask.abort().run();
        HearthException failure = failure(ask.answer());
        assertEquals(ErrorCode.ASK_ABORTED.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(ENDPOINT), failure::getMessage);
        ask.abort().run();
        AbortableAsk<Answer> answered = pair.ref.askAbortable(new Ask(1), Answer.class, PATIENCE);
        assertEquals(new Answer(1), await(answered.answer()));
        answered.abort().run();
        assertEquals(new Answer(1), await(answered.answer()), "an answer is not taken back");
        AbortableAsk<Answer> atOnce = pair.ref.askAbortable(new AskInVain(), Answer.class, PATIENCE);
        atOnce.abort().run();
        assertEquals(ErrorCode.ASK_ABORTED.name(), failureCode(atOnce.answer()));
        assertEquals(new Answer(3), await(ask(pair.ref, new Ask(3))));
    }

    @Test
    void refusesAnOversizedAskAndContinues() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS.withMessageBytesMax(MEBIBYTE));
        HearthException failure = failure(pair.ref.ask(large(), Everything.class, PATIENCE));
        assertEquals(ErrorCode.MESSAGE_TOO_LARGE.name(), failure.code());
        assertEquals(new Answer(1), await(ask(pair.ref, new Ask(1))));
    }

    @Test
    void losesThePeerAfterAnOversizedSend() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS.withMessageBytesMax(MEBIBYTE));
        pair.ref.send(new Count(1));
        pair.ref.send(large());
        pair.ref.send(new Count(2));
        List<String> lines = await(pair.diary.until(
                all -> !all.isEmpty() && all.get(all.size() - 1).startsWith("lost")));
        assertEquals("count 1", lines.get(2), lines::toString);
        assertEquals(4, lines.size(), lines::toString);
    }

    @Test
    void limitsThePendingAsksPerPeer() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS.withAsksPerPeerMax(ASKS_MAX));
        List<CompletionStage<Answer>> waiting = IntStream.range(0, ASKS_MAX)
                .mapToObj(number -> ask(pair.ref, new AskInVain()))
                .toList();
        HearthException failure = failure(ask(pair.ref, new Ask(1)));
        assertEquals(ErrorCode.TOO_MANY_ASKS.name(), failure.code());
        await(pair.diary.until(all -> all.stream().filter("ask in vain"::equals).count() == ASKS_MAX));
        pair.peer.close();
        for (CompletionStage<Answer> each : waiting) {
            assertEquals(ErrorCode.PEER_LOST.name(), failureCode(each));
        }
    }

    @Test
    void servesOthersWhileARefusedAskIsRetriedImmediately() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS.withAsksPerPeerMax(ASKS_MAX));
        IntStream.range(0, ASKS_MAX).forEach(number -> ask(pair.ref, new AskInVain()));
        AtomicInteger refusals = new AtomicInteger();
        askAgainAndAgain(pair.ref, refusals);
        Peer other = await(pair.client.env().connect(pair.server.env().address().orElseThrow()));
        for (int i = 0; i < MANY; i++) {
            assertEquals(new Answer(i), await(ask(ref(other), new Ask(i))));
        }
        assertTrue(refusals.get() < ASKED_AGAIN_MAX, () -> refusals + " refusals until then");
        pair.peer.close();
    }

    @Test
    void failsMessagesQueuedForAClosedLoop() throws Exception {
        RpcLimits limits = RpcLimits.DEFAULTS.withMessageBytesMax(2 * MEBIBYTE);
        Party server = open(settings(Optional.of(new RpcSettings.Listen(HOST, 0)), limits));
        Party client = open(settings(Optional.empty(), limits));
        server.env().register("deaf", ContractMessages.PROTOCOL, server.loop(), new LifecycleRecorder());
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, Dispatch.inline(), new LifecycleRecorder());
        Peer peer = await(client.env().connect(server.env().address().orElseThrow()));
        EndpointRef deaf = peer.endpoint("deaf", ContractMessages.PROTOCOL);
        await(ask(deaf, new Ask(1)));
        server.loop().close();
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failureCode(ask(deaf, new Ask(2))));
        for (int i = 0; i < LARGE_ONES; i++) {
            deaf.send(large());
            assertEquals(new Answer(i), await(ask(ref(peer), new Ask(i))), "the peer is still read from");
        }
        assertEquals(
                0,
                server.env().snapshot().scopes().get(0).endpoints().stream()
                        .mapToInt(RpcSnapshot.EndpointState::waiting)
                        .sum());
    }

    @Test
    void reportsASnapshot() throws Exception {
        Pair pair = connect(RpcLimits.DEFAULTS);
        pair.ref.send(new Count(1));
        await(ask(pair.ref, new Ask(1)));
        CompletionStage<Answer> waiting = ask(pair.ref, new AskInVain());
        await(pair.diary.untilHolds("ask in vain"));
        RpcSnapshot here = pair.client.env().snapshot();
        RpcSnapshot there = pair.server.env().snapshot();
        assertEquals("", here.address());
        assertEquals(pair.server.env().address().orElseThrow().toString(), there.address());
        assertEquals(1, here.peers().size());
        assertEquals(pair.peer.id(), here.peers().get(0).id());
        assertEquals(1, here.peers().get(0).asksUnderWay());
        assertEquals(3, here.peers().get(0).messagesSent());
        assertEquals(3, there.peers().get(0).messagesReceived());
        RpcSnapshot.EndpointState endpoint = there.scopes().get(0).endpoints().get(0);
        assertEquals(ENDPOINT, endpoint.name());
        assertEquals(0, endpoint.failed());
        pair.peer.close();
        failure(waiting);
        assertEquals(List.of(), pair.client.env().snapshot().peers());
    }

    private Pair connect(RpcLimits limits) throws Exception {
        Party server = open(settings(Optional.of(new RpcSettings.Listen(HOST, 0)), limits));
        Party client = open(settings(Optional.empty(), limits));
        LifecycleRecorder diary = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, server.loop(), diary);
        Peer peer = await(client.env().connect(server.env().address().orElseThrow()));
        return new Pair(server, client, diary, peer, ref(peer));
    }

    private static RpcSettings settings(Optional<RpcSettings.Listen> listen, RpcLimits limits) {
        return new RpcSettings(listen, RpcSecurity.NONE, limits, RpcTimes.DEFAULTS);
    }

    /**
     * Sends an ask, and sends it again immediately after each refusal, as a naive caller would. {@code refusals} counts
     * the refusals; the attempts are bounded, so that a failing test ends.
     */
    private static void askAgainAndAgain(EndpointRef ref, AtomicInteger refusals) {
        ask(ref, new Ask(0)).whenComplete((answer, failure) -> {
            if (failure != null
                    && Failures.code(failure) == ErrorCode.TOO_MANY_ASKS
                    && refusals.incrementAndGet() < ASKED_AGAIN_MAX) {
                askAgainAndAgain(ref, refusals);
            }
        });
    }

    private static Everything large() {
        Everything sample = Everything.sample();
        return new Everything(
                sample.flag(),
                sample.whole(),
                sample.large(),
                sample.real(),
                "x".repeat(MEBIBYTE + 1),
                Bytes.EMPTY,
                sample.colour(),
                sample.nested(),
                sample.time(),
                sample.list(),
                sample.present(),
                sample.absent(),
                sample.map(),
                sample.tiny(),
                sample.small(),
                sample.single(),
                sample.letter(),
                sample.boxes());
    }

    private static EndpointRef ref(Peer peer) {
        return peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
    }

    private record Pair(Party server, Party client, LifecycleRecorder diary, Peer peer, EndpointRef ref) {}
}
