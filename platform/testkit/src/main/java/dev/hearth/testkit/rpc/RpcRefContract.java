package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskInVain;
import dev.hearth.testkit.rpc.ContractMessages.Count;
import dev.hearth.testkit.rpc.ContractMessages.Foreign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests on endpoint refs by address that every message system must pass. Such a ref connects on first use, reconnects
 * after a loss, and never sends a message twice.
 */
public abstract class RpcRefContract extends RpcContract {
    private static final String ENDPOINT = "diary";
    private static final int MANY = 200;
    private static final int ROUNDS = 5;
    private static final int TRIES_MAX = 100;
    private static final Duration PAUSE_FIRST = Duration.ofMillis(5);
    private static final Duration PAUSE_LAST = Duration.ofMillis(40);

    @Test
    void connectsOnFirstUse() throws Exception {
        Party server = listening();
        LifecycleRecorder diary = register(server);
        Party client = client();
        EndpointRef ref = ref(client, server);
        assertEquals(List.of(), client.env().snapshot().peers());
        assertEquals(new Answer(1), await(ask(ref, new Ask(1))));
        assertEquals(1, client.env().snapshot().peers().size());
        assertEquals(List.of("started", "connected", "ask 1"), words(diary));
    }

    @Test
    void sharesOneConnectionPerAddress() throws Exception {
        Party server = listening();
        register(server);
        Party client = client();
        CompletionStage<Answer> one = ask(ref(client, server), new Ask(-1));
        CompletionStage<Answer> two = ask(ref(client, server), new Ask(-1));
        assertEquals(await(one), await(two));
        assertEquals(1, client.env().snapshot().peers().size());
    }

    @Test
    void keepsTheOrderOfMessagesQueuedForTheConnection() throws Exception {
        Party server = listening();
        LifecycleRecorder diary = register(server);
        EndpointRef ref = ref(client(), server);
        IntStream.range(0, MANY).forEach(number -> ref.send(new Count(number)));
        assertEquals(new Answer(9), await(ask(ref, new Ask(9))));
        ref.send(new Count(MANY));
        List<String> lines = await(diary.untilHolds("count " + MANY));
        List<String> expected = new ArrayList<>();
        IntStream.range(0, MANY).forEach(number -> expected.add("count " + number));
        expected.add("ask 9");
        expected.add("count " + MANY);
        assertEquals(expected, lines.subList(2, lines.size()));
    }

    @Test
    void reconnectsAfterALossAndSendsNothingTwice() throws Exception {
        Party server = listening();
        LifecycleRecorder diary = register(server);
        EndpointRef ref = ref(client(), server);
        Answer before = await(ask(ref, new Ask(-1)));
        for (int round = 0; round < ROUNDS; round++) {
            int first = round * MANY;
            IntStream.range(first, first + MANY).forEach(number -> ref.send(new Count(number)));
            diary.peers().get(round).close();
            int peers = round + 2;
            int asked = 0;
            do { // the first answer may still use the closing connection
                eventually(ref, new Ask(-1));
                assertTrue(asked++ < TRIES_MAX, "no new connection");
            } while (diary.lines().stream()
                            .filter(line -> line.startsWith("connected"))
                            .count()
                    < peers);
        }
        assertNotEquals(before, eventually(ref, new Ask(-1)));
        List<Integer> numbers = diary.lines().stream()
                .filter(line -> line.startsWith("count "))
                .map(line -> Integer.valueOf(line.substring("count ".length())))
                .toList();
        assertEquals(numbers.stream().sorted().distinct().toList(), numbers);
    }

    @Test
    void failsWithoutAServerAndConnectsToALaterOne() throws Exception {
        Party gone = listening();
        RpcAddress address = gone.env().address().orElseThrow();
        gone.env().close();
        EndpointRef ref = client().env().ref(new EndpointUri(ENDPOINT, address), ContractMessages.PROTOCOL);
        ref.send(new Count(1)); // is lost
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failureCode(ask(ref, new Ask(1))));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failureCode(ask(ref, new Ask(2))), "after a pause");
        LifecycleRecorder diary = register(listening(address.port()));
        assertEquals(new Answer(3), eventually(ref, new Ask(3)));
        assertEquals(List.of("started", "connected", "ask 3"), words(diary));
    }

    @Test
    void failsPendingAsksWhenTheConnectionIsLost() throws Exception {
        Party server = listening();
        LifecycleRecorder diary = register(server);
        EndpointRef ref = ref(client(), server);
        CompletionStage<Answer> asked = ask(ref, new AskInVain());
        await(diary.untilHolds("ask in vain"));
        diary.peers().get(0).close();
        assertEquals(
                ErrorCode.PEER_LOST.name(), failureCode(asked), "it is not asked again: who knows how far it came");
        eventually(ref, new Ask(1));
        assertEquals(1, diary.lines().stream().filter("ask in vain"::equals).count());
    }

    @Test
    void abortsAnAskBeforeItIsConnected() throws Exception {
        Party server = listening();
        register(server);
        EndpointRef ref = ref(client(), server);
        AbortableAsk<Answer> ask = ref.askAbortable(new AskInVain(), Answer.class, PATIENCE);
        ask.abort().run();
        assertEquals(ErrorCode.ASK_ABORTED.name(), failureCode(ask.answer()));
        assertEquals(new Answer(2), await(ask(ref, new Ask(2))));
    }

    @Test
    void reachesItsOwnProcess() throws Exception {
        Party server = listening();
        register(server);
        assertEquals(new Answer(1), await(ask(ref(server, server), new Ask(1))));
    }

    @Test
    void failsWhenItsEnvIsClosed() throws Exception {
        Party server = listening();
        register(server);
        Party client = client();
        EndpointRef ref = ref(client, server);
        await(ask(ref, new Ask(1)));
        client.env().close();
        assertEquals(ErrorCode.PEER_LOST.name(), failureCode(ask(ref, new Ask(2))));
        ref.send(new Count(1)); // is lost silently
        assertEquals(ErrorCode.PEER_LOST.name(), failureCode(ask(ref(client, server), new Ask(3))));
    }

    @Test
    void refusesRecordsOfAnotherProtocolAtOnce() {
        EndpointRef ref = ref(client(), listening());
        assertThrows(IllegalArgumentException.class, () -> ref.send(new Foreign(1)));
        assertThrows(IllegalArgumentException.class, () -> ref.ask(new Foreign(1), Answer.class, PATIENCE));
    }

    /**
     * Sends {@code message} as an ask, and sends it again after each loss of the connection, until an answer arrives.
     */
    private Answer eventually(EndpointRef ref, Record message) throws Exception {
        for (int attempt = 0; attempt < TRIES_MAX; attempt++) {
            CompletionStage<Answer> asked = ask(ref, message);
            try {
                return await(asked);
            } catch (Exception failed) {
                ErrorCode code = Failures.code(failed);
                assertTrue(code == ErrorCode.PEER_LOST || code == ErrorCode.PEER_UNREACHABLE, failed::toString);
            }
        }
        throw new AssertionError(ref + ": no answer (expected: one within " + TRIES_MAX + " tries)");
    }

    private Party client() {
        RpcTimes usual = RpcTimes.DEFAULTS;
        RpcTimes times = new RpcTimes(
                usual.connect(), usual.handshake(), usual.silence(), usual.responseStall(), PAUSE_FIRST, PAUSE_LAST);
        return open(new RpcSettings(Optional.empty(), RpcSecurity.NONE, RpcLimits.DEFAULTS, times));
    }

    private static LifecycleRecorder register(Party server) {
        LifecycleRecorder diary = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, server.loop(), diary);
        return diary;
    }

    private static EndpointRef ref(Party from, Party to) {
        return from.env().ref(new EndpointUri(ENDPOINT, to.env().address().orElseThrow()), ContractMessages.PROTOCOL);
    }

    private static List<String> words(LifecycleRecorder diary) {
        return diary.lines().stream()
                .map(line -> line.startsWith("connected") ? "connected" : line)
                .toList();
    }
}
