package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskRefused;
import dev.hearth.testkit.rpc.ContractMessages.Count;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on the lifecycle of endpoints, in every dispatch mode, that every message system must pass. */
public abstract class RpcLifecycleContract extends RpcContract {
    private static final String ENDPOINT = "diary";
    private static final int MANY = 200;

    @ParameterizedTest
    @EnumSource
    void startsFirstAndStopsLast(Dispatch.Kind kind) throws Exception {
        Party server = listening();
        LifecycleRecorder diary = new LifecycleRecorder();
        Registration registration =
                server.env().register(ENDPOINT, ContractMessages.PROTOCOL, dispatch(kind, server), diary);
        Peer peer = connect(server);
        EndpointRef ref = peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
        ref.send(new Count(1));
        assertEquals(new Answer(2), await(ask(ref, new Ask(2))));
        registration.close();
        registration.close();
        await(diary.untilHolds("stopped"));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failureCode(ask(ref, new Ask(3))));
        peer.close();
        long id = diary.peers().get(0).id();
        assertEquals(List.of("started", "connected " + id, "count 1", "ask 2", "stopped"), diary.lines());
    }

    @ParameterizedTest
    @EnumSource
    void announcesAPeerBeforeItsMessagesAndItsLossAfterThem(Dispatch.Kind kind) throws Exception {
        Party server = listening();
        LifecycleRecorder diary = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, dispatch(kind, server), diary);
        Peer peer = connect(server);
        EndpointRef ref = peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
        IntStream.range(0, MANY).forEach(number -> ref.send(new Count(number)));
        peer.close();
        List<String> lines = await(diary.until(all -> last(all).startsWith("lost")));
        long id = diary.peers().get(0).id();
        List<String> begun = Stream.concat(
                        Stream.of("started", "connected " + id),
                        IntStream.range(0, MANY).mapToObj(number -> "count " + number))
                .toList();
        assertEquals(begun.subList(0, lines.size() - 1), lines.subList(0, lines.size() - 1));
        assertEquals("lost " + id, last(lines));
    }

    @ParameterizedTest
    @EnumSource
    void announcesExistingPeers(Dispatch.Kind kind) throws Exception {
        Party server = listening();
        Peer peer = connect(server);
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(),
                failureCode(ask(peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(1))));
        LifecycleRecorder late = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, dispatch(kind, server), late);
        List<String> lines = await(late.untilSize(2));
        assertEquals("started", lines.get(0));
        assertEquals("connected " + late.peers().get(0).id(), lines.get(1));
        assertEquals(new Answer(7), await(ask(peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(7))));
    }

    @ParameterizedTest
    @EnumSource
    void continuesAfterAnException(Dispatch.Kind kind) throws Exception {
        Party server = listening();
        LifecycleRecorder diary = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, dispatch(kind, server), diary);
        EndpointRef ref = connect(server).endpoint(ENDPOINT, ContractMessages.PROTOCOL);
        HearthException failure = failure(ask(ref, new AskRefused()));
        assertEquals(ErrorCode.INTERNAL.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(ENDPOINT), failure::getMessage);
        assertEquals(new Answer(2), await(ask(ref, new Ask(2))));
        List<String> lines = diary.lines();
        assertEquals(
                List.of("mistake", "failed broken on purpose", "ask 2"),
                lines.subList(lines.size() - 3, lines.size()).stream()
                        // the recorder marks the call of `failed` as part of the call that threw
                        .map(line -> line.replace(" within another call", ""))
                        .toList());
    }

    @Test
    void stopsEveryEndpointOnceWhenTheEnvCloses() throws Exception {
        Party server = listening();
        LifecycleRecorder one = new LifecycleRecorder();
        LifecycleRecorder two = new LifecycleRecorder();
        server.env().register("one", ContractMessages.PROTOCOL, Dispatch.shared(), one);
        server.env().register("two", ContractMessages.PROTOCOL, Dispatch.on(server.loop()), two);
        connect(server);
        await(one.untilSize(2));
        await(two.untilSize(2));
        server.env().close();
        for (LifecycleRecorder diary : List.of(one, two)) {
            List<String> lines = await(diary.untilHolds("stopped"));
            assertEquals("stopped", last(lines));
            assertEquals(1, lines.stream().filter("stopped"::equals).count());
        }
    }

    @Test
    void reportsAFailedConnection() throws Exception {
        Party gone = listening();
        RpcAddress address = gone.env().address().orElseThrow();
        gone.env().close();
        Party client = connecting();
        LifecycleRecorder diary = new LifecycleRecorder();
        client.env().register(ENDPOINT, ContractMessages.PROTOCOL, client.loop(), diary);
        assertEquals(ErrorCode.PEER_UNREACHABLE.name(), failureCode(client.env().connect(address)));
        List<String> lines = await(diary.untilSize(2));
        assertEquals(List.of("started", "network PEER_UNREACHABLE"), lines);
        assertFalse(lines.stream().anyMatch(line -> line.startsWith("lost")), "a peer that never was is not lost");
    }

    @Test
    void isItsOwnPeerWithoutListening() throws Exception {
        Party alone = connecting();
        LifecycleRecorder diary = new LifecycleRecorder();
        alone.env().register(ENDPOINT, ContractMessages.PROTOCOL, alone.loop(), diary);
        Peer self = await(alone.env().self());
        assertEquals(new Answer(5), await(ask(self.endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(5))));
        self.close();
        List<String> lines = await(diary.until(all -> count(all, "lost") == 2));
        assertEquals(2, count(lines, "connected"), "both ends are peers");
        assertEquals(
                new Answer(6),
                await(ask(await(alone.env().self()).endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(6))));
    }

    @Test
    void reachesItselfByItsAddress() throws Exception {
        Party server = listening();
        LifecycleRecorder diary = new LifecycleRecorder();
        server.env().register(ENDPOINT, ContractMessages.PROTOCOL, server.loop(), diary);
        Peer self = await(server.env().connect(server.env().address().orElseThrow()));
        assertEquals(new Answer(5), await(ask(self.endpoint(ENDPOINT, ContractMessages.PROTOCOL), new Ask(5))));
    }

    private Peer connect(Party server) throws Exception {
        return await(connecting().env().connect(server.env().address().orElseThrow()));
    }

    private static Dispatch dispatch(Dispatch.Kind kind, Party party) {
        return switch (kind) {
            case LOOP -> Dispatch.on(party.loop());
            case SHARED -> Dispatch.shared();
            case INLINE -> Dispatch.inline();
            case OWN_THREAD -> Dispatch.ownThread();
        };
    }

    private static long count(List<String> lines, String beginning) {
        return lines.stream().filter(line -> line.startsWith(beginning)).count();
    }

    private static String last(List<String> lines) {
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
}
