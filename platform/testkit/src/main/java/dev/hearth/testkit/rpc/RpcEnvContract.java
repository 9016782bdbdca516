package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskBack;
import dev.hearth.testkit.rpc.ContractMessages.AskInVain;
import dev.hearth.testkit.rpc.ContractMessages.AskLater;
import dev.hearth.testkit.rpc.ContractMessages.AskRefused;
import dev.hearth.testkit.rpc.ContractMessages.AskRefusedLater;
import dev.hearth.testkit.rpc.ContractMessages.Count;
import dev.hearth.testkit.rpc.ContractMessages.Everything;
import dev.hearth.testkit.rpc.ContractMessages.Foreign;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests on sending and receiving messages that every {@link RpcEnv}, simulated or real, must pass. */
public abstract class RpcEnvContract extends RpcContract {
    private static final Duration HASTE = Duration.ofMillis(50);
    private static final String ENDPOINT = "contract";
    private static final String BYSTANDER = "bystander";
    private static final int MANY = 200;

    @Test
    void listensOnAnAddressOrOnNone() throws Exception {
        assertTrue(listening().env().address().isPresent());
        assertTrue(connecting().env().address().isEmpty());
    }

    @Test
    void deliversInTheOrderSent() throws Exception {
        Pair pair = connect();
        IntStream.range(0, MANY).forEach(number -> pair.contract().send(new Count(number)));
        assertEquals(numbers(MANY), await(pair.serverEvents.untilSize(MANY)));
    }

    @Test
    void keepsTheOrderOfSendsAndAsks() throws Exception {
        Pair pair = connect();
        pair.contract().send(new Count(0));
        pair.contract().send(new Count(1));
        assertEquals(new Answer(5), await(ask(pair.contract(), new Ask(5))));
        pair.contract().send(new Count(2));
        assertEquals(
                List.of("number 0", "number 1", "ask 5", "number 2"),
                await(pair.serverEvents.until(all -> all.contains("number 2"))));
    }

    @Test
    void transfersEveryTypeOfComponent() throws Exception {
        Pair pair = connect();
        Everything sample = Everything.sample();
        assertEquals(sample, await(pair.contract().ask(sample, Everything.class, PATIENCE)));
    }

    @Test
    void answersAsynchronously() throws Exception {
        Pair pair = connect();
        CompletionStage<Answer> later = ask(pair.contract(), new AskLater(1));
        assertEquals(new Answer(2), await(ask(pair.contract(), new Ask(2))));
        assertFalse(later.toCompletableFuture().isDone());
        pair.contract().send(new Count(9)); // triggers the deferred answer
        assertEquals(new Answer(1), await(later));
    }

    @Test
    void transfersCodeAndMessageOfARefusal() throws Exception {
        Pair pair = connect();
        HearthException atOnce = failure(ask(pair.contract(), new AskRefused()));
        assertEquals(ErrorCode.SUBMISSION_REFUSED.name(), atOnce.code());
        assertTrue(String.valueOf(atOnce.getMessage()).contains("no room"), atOnce::getMessage);
        CompletionStage<Answer> refusedLater = ask(pair.contract(), new AskRefusedLater());
        pair.contract().send(new Count(0)); // triggers the deferred refusal
        HearthException later = failure(refusedLater);
        assertEquals(ErrorCode.SUBMISSION_UNKNOWN.name(), later.code());
        assertTrue(String.valueOf(later.getMessage()).contains("no such"), later::getMessage);
    }

    @Test
    void refusesAnAskForAMissingEndpoint() throws Exception {
        Pair pair = connect();
        HearthException failure = failure(ask(pair.peer.endpoint("nowhere", ContractMessages.PROTOCOL), new Ask(1)));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("nowhere"), failure::getMessage);
        pair.peer.endpoint("nowhere", ContractMessages.PROTOCOL).send(new Count(1));
        assertEquals(new Answer(2), await(ask(pair.contract(), new Ask(2))), "the connection outlives both");
    }

    @Test
    void timesOutAndIgnoresALateAnswer() throws Exception {
        Pair pair = connect();
        HearthException failure = failure(pair.contract().ask(new AskLater(1), Answer.class, HASTE));
        assertEquals(ErrorCode.ASK_TIMED_OUT.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(ENDPOINT), failure::getMessage);
        pair.contract().send(new Count(0)); // releases the answer
        assertEquals(new Answer(2), await(ask(pair.contract(), new Ask(2))));
    }

    @Test
    void refusesAnAnswerOfAnotherType() throws Exception {
        Pair pair = connect();
        HearthException failure = failure(pair.contract().ask(new Ask(1), Count.class, PATIENCE));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
    }

    @Test
    void failsToConnectToAClosedPort() throws Exception {
        Party gone = listening();
        RpcAddress address = gone.env().address().orElseThrow();
        gone.env().close();
        HearthException failure = failure(connecting().env().connect(address));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith(address + ": "), failure::getMessage);
        assertTrue(String.valueOf(failure.getMessage()).contains("(expected: "), failure::getMessage);
    }

    @Test
    void sendsInBothDirectionsOverOneConnection() throws Exception {
        Pair pair = connect();
        assertEquals(new Answer(7), await(ask(pair.contract(), new AskBack(ENDPOINT, 7))));
        assertEquals(List.of("ask 7"), await(pair.clientEvents.untilSize(1)));
    }

    @Test
    void identifiesTheSenderOfEachMessage() throws Exception {
        Pair pair = connect();
        Peer second = await(pair.client.env().connect(pair.address()));
        assertNotEquals(pair.peer.id(), second.id());
        Answer first = await(ask(pair.contract(), new Ask(-1)));
        assertEquals(first, await(ask(pair.contract(), new Ask(-1))), "one connection is one peer");
        EndpointRef other = second.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
        assertNotEquals(first, await(ask(other, new Ask(-1))), "another connection is another peer");
    }

    @Test
    void reportsALostPeerOnceToEveryEndpointOnBothSides() throws Exception {
        Pair pair = connect();
        MessageRecorder clientBystander = bystander(pair.client);
        MessageRecorder serverBystander = bystander(pair.server);
        await(ask(pair.contract(), new Ask(1)));
        pair.peer.close();
        pair.peer.close();
        assertEquals(List.of("lost " + pair.peer.id()), await(clientBystander.untilSize(1)));
        assertEquals(List.of("lost " + pair.peer.id()), await(pair.clientEvents.untilSize(1)));
        assertEquals(2, await(pair.serverEvents.untilSize(2)).size());
        assertEquals(1, await(serverBystander.untilSize(1)).size());

        Peer again = await(pair.client.env().connect(pair.address()));
        assertNotEquals(pair.peer.id(), again.id(), "a new connection is another peer");
        await(ask(again.endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(2)));
        again.close();
        assertEquals(List.of("lost " + pair.peer.id(), "lost " + again.id()), await(pair.clientEvents.untilSize(2)));
        assertEquals(
                List.of("ask 1", "lost", "ask 2", "lost"),
                await(pair.serverEvents.untilSize(4)).stream()
                        .map(events -> events.startsWith("lost") ? "lost" : events)
                        .toList());
        assertEquals(2, await(serverBystander.untilSize(2)).size());
    }

    @Test
    void reportsTheLossAfterEarlierMessages() throws Exception {
        Pair pair = connect();
        IntStream.range(0, MANY).forEach(number -> pair.contract().send(new Count(number)));
        pair.peer.close();
        List<String> events = await(pair.serverEvents.until(all -> last(all).startsWith("lost")));
        assertEquals(numbers(events.size() - 1), events.subList(0, events.size() - 1));
    }

    @Test
    void closesFromTheListeningSideToo() throws Exception {
        Pair pair = connect();
        CompletionStage<Answer> underWay = ask(pair.contract(), new AskInVain());
        await(pair.serverEvents.untilSize(1));
        pair.server.env().close();
        assertEquals(ErrorCode.PEER_LOST.name(), failure(underWay).code());
        assertEquals(List.of("lost " + pair.peer.id()), await(pair.clientEvents.untilSize(1)));
        HearthException unreachable = failure(pair.client.env().connect(pair.address()));
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), unreachable.code());
    }

    @Test
    void failsAsksWhenThePeerIsLostAndAfterwards() throws Exception {
        Pair pair = connect();
        CompletionStage<Answer> underWay = ask(pair.contract(), new AskInVain());
        await(pair.serverEvents.untilSize(1));
        pair.peer.close();
        HearthException failure = failure(underWay);
        assertEquals(ErrorCode.PEER_LOST.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(ENDPOINT), failure::getMessage);
        assertEquals(
                ErrorCode.PEER_LOST.name(),
                failure(ask(pair.contract(), new Ask(1))).code());
        pair.contract().send(new Count(1)); // is lost silently
    }

    @Test
    void failsPendingAsksWhenItIsClosed() throws Exception {
        Pair pair = connect();
        CompletionStage<Answer> underWay = ask(pair.contract(), new AskInVain());
        await(pair.serverEvents.untilSize(1));
        pair.client.env().close();
        pair.client.env().close();
        assertEquals(ErrorCode.PEER_LOST.name(), failure(underWay).code());
        assertTrue(last(await(pair.serverEvents.untilSize(2))).startsWith("lost"));
    }

    @Test
    void registersEachNameOnceUntilItIsClosed() throws Exception {
        Pair pair = connect();
        Receiver one = Receiver.of("one")
                .answer(Ask.class, (message, peer) -> new Answer(message.value() + 1))
                .build();
        Registration first = pair.server.env().register("one", ContractMessages.PROTOCOL, pair.server.loop(), one);
        assertThrows(
                IllegalStateException.class,
                () -> pair.server.env().register("one", ContractMessages.PROTOCOL, pair.server.loop(), one));
        EndpointRef ref = pair.peer.endpoint("one", ContractMessages.PROTOCOL);
        assertEquals(new Answer(2), await(ask(ref, new Ask(1))));
        first.close();
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failure(ask(ref, new Ask(1))).code());
        pair.server.env().register("one", ContractMessages.PROTOCOL, pair.server.loop(), one);
        first.close(); // closes only the first registration, not the second with the same name
        assertEquals(new Answer(3), await(ask(ref, new Ask(2))));
    }

    @Test
    void refusesRecordsOfAnotherProtocol() throws Exception {
        Pair pair = connect();
        assertThrows(IllegalArgumentException.class, () -> pair.contract().send(new Foreign(1)));
        assertThrows(IllegalArgumentException.class, () -> pair.contract().ask(new Foreign(1), Answer.class, PATIENCE));
        EndpointRef foreign = pair.peer.endpoint(ENDPOINT, ContractMessages.OTHER);
        HearthException failure = failure(foreign.ask(new Foreign(1), Answer.class, PATIENCE));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
    }

    @Test
    void namesItsRemoteAddress() throws Exception {
        Pair pair = connect();
        assertTrue(pair.peer.remote().contains(pair.address().toString()), pair.peer::remote);
    }

    /** Creates two RPC environments, server and client, that are connected; both have an endpoint of the same name. */
    private Pair connect() throws Exception {
        Party server = listening();
        Party client = connecting();
        MessageRecorder serverEvents = new MessageRecorder(server.loop());
        MessageRecorder clientEvents = new MessageRecorder(client.loop());
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, server.loop(), receiver(serverEvents));
        client.env().register(ENDPOINT, ContractMessages.PROTOCOL, client.loop(), receiver(clientEvents));
        Peer peer = await(client.env().connect(server.env().address().orElseThrow()));
        return new Pair(server, client, serverEvents, clientEvents, peer);
    }

    /**
     * Creates an endpoint that records its messages in {@code events}. It answers {@code AskLater} once a {@code Count}
     * arrives, and {@code Ask(-1)} with the id of the sending peer.
     */
    private static Receiver receiver(MessageRecorder events) {
        CompletableFuture<Void> numberCame = new CompletableFuture<>();
        return Receiver.of(ENDPOINT)
                .on(Count.class, (message, peer) -> {
                    events.note("number " + message.value());
                    numberCame.complete(null);
                })
                .answer(Ask.class, (message, peer) -> {
                    events.note("ask " + message.value());
                    return new Answer(message.value() == -1 ? (int) peer.id() : message.value());
                })
                .answer(Everything.class, (message, peer) -> message)
                .answerLater(
                        AskLater.class, (message, peer) -> numberCame.thenApply(done -> new Answer(message.value())))
                .answerLater(
                        AskRefused.class,
                        (message, peer) -> CompletableFuture.failedStage(
                                ErrorCode.SUBMISSION_REFUSED.failure("cluster: no room (expected: room)")))
                .answerLater(
                        AskRefusedLater.class,
                        (message, peer) -> numberCame.thenCompose(done -> CompletableFuture.failedStage(
                                ErrorCode.SUBMISSION_UNKNOWN.failure("driver-1: no such submission"))))
                .answerLater(AskInVain.class, (message, peer) -> {
                    events.note("ask in vain");
                    return new CompletableFuture<Answer>();
                })
                .answerLater(
                        AskBack.class,
                        (message, peer) -> peer.endpoint(message.endpoint(), ContractMessages.PROTOCOL)
                                .ask(new Ask(message.value()), Answer.class, PATIENCE))
                .onPeerLost((peer, reason) -> events.lost(peer))
                .build();
    }

    private static MessageRecorder bystander(Party party) {
        MessageRecorder events = new MessageRecorder(party.loop());
        Receiver receiver = Receiver.of(BYSTANDER)
                .onPeerLost((peer, reason) -> events.lost(peer))
                .build();
        party.env().register(BYSTANDER, ContractMessages.PROTOCOL, party.loop(), receiver);
        return events;
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(number -> "number " + number).toList();
    }

    private static String last(List<String> events) {
        return events.isEmpty() ? "" : events.get(events.size() - 1);
    }

    private record Pair(
            Party server, Party client, MessageRecorder serverEvents, MessageRecorder clientEvents, Peer peer) {
        RpcAddress address() {
            return server.env().address().orElseThrow();
        }

        EndpointRef contract() {
            return peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
        }
    }
}
