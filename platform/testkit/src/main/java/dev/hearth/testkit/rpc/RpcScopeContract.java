package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import dev.hearth.testkit.rpc.ContractMessages.AskInVain;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests on scopes that every message system must pass: scopes share only the port of their process. */
public abstract class RpcScopeContract extends RpcContract {
    private static final String ENDPOINT = "diary";
    private static final String SCOPE = "app-1";
    private static final Secret SECRET = Secret.of("a secret long enough");

    @Test
    void reachesOnlyEndpointsOfItsOwnScope() throws Exception {
        Party server = listening();
        Party client = connecting();
        RpcScope theirs = server.env().scope(SCOPE, Optional.empty());
        LifecycleRecorder inside = register(theirs);
        RpcScope ours = client.env().scope(SCOPE, Optional.empty());
        assertEquals(SCOPE, ours.name());
        Peer outside = await(client.env().connect(address(server)));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failureCode(ask(ref(outside), new Ask(1))));
        assertEquals(new Answer(2), await(ask(ref(await(ours.connect(address(server)))), new Ask(2))));
        assertEquals(List.of("started", "connected", "ask 2"), words(inside));
    }

    @Test
    void allowsTheSameNameInEachScope() throws Exception {
        Party server = listening();
        Party client = connecting();
        LifecycleRecorder outside = register(server.env());
        LifecycleRecorder inside = register(server.env().scope(SCOPE, Optional.empty()));
        RpcScope ours = client.env().scope(SCOPE, Optional.empty());
        assertEquals(new Answer(1), await(ask(ref(await(client.env().connect(address(server)))), new Ask(1))));
        assertEquals(new Answer(2), await(ask(ref(await(ours.connect(address(server)))), new Ask(2))));
        assertEquals(List.of("started", "connected", "ask 1"), words(outside));
        assertEquals(List.of("started", "connected", "ask 2"), words(inside));
    }

    @Test
    void refusesAScopeThatIsNotOpen() throws Exception {
        Party server = listening();
        assertEquals(
                ErrorCode.NO_ENDPOINT.name(),
                failureCode(connecting().env().scope(SCOPE, Optional.empty()).connect(address(server))));
    }

    @Test
    void closesOnlyTheScopesOwnConnectionsAndEndpoints() throws Exception {
        Party server = listening();
        Party client = connecting();
        RpcScope theirs = server.env().scope(SCOPE, Optional.empty());
        LifecycleRecorder inside = register(theirs);
        LifecycleRecorder outside = register(server.env());
        RpcScope ours = client.env().scope(SCOPE, Optional.empty());
        Peer insider = await(ours.connect(address(server)));
        Peer outsider = await(client.env().connect(address(server)));
        CompletionStage<Answer> underWay = ask(ref(insider), new AskInVain());
        await(inside.untilHolds("ask in vain"));
        theirs.close();
        theirs.close();
        assertEquals(ErrorCode.PEER_LOST.name(), failureCode(underWay));
        await(inside.untilHolds("stopped"));
        assertEquals(new Answer(4), await(ask(ref(outsider), new Ask(4))));
        assertEquals(List.of("started", "connected", "ask 4"), words(outside));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failureCode(ours.connect(address(server))));

        register(server.env().scope(SCOPE, Optional.empty()));
        assertEquals(
                new Answer(5),
                await(ask(ref(await(ours.connect(address(server)))), new Ask(5))),
                "the name is free again");
    }

    @Test
    void opensEachNameOnce() {
        RpcEnv env = connecting().env();
        env.scope(SCOPE, Optional.empty());
        assertThrows(IllegalStateException.class, () -> env.scope(SCOPE, Optional.empty()));
        assertThrows(IllegalStateException.class, () -> env.scope(RpcEnv.DEFAULT_SCOPE, Optional.empty()));
        assertEquals(RpcEnv.DEFAULT_SCOPE, env.name());
    }

    @Test
    void isItsOwnPeerWithinTheScope() throws Exception {
        RpcEnv env = connecting().env();
        RpcScope scope = env.scope(SCOPE, Optional.of(SECRET));
        register(scope);
        assertEquals(new Answer(1), await(ask(ref(await(scope.self())), new Ask(1))));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failureCode(ask(ref(await(env.self())), new Ask(1))));
    }

    @Test
    void showsItsScopesWithTheirEndpointsAndPeers() throws Exception {
        Party server = listening();
        register(server.env().scope(SCOPE, Optional.of(SECRET)));
        RpcScope ours = connecting().env().scope(SCOPE, Optional.of(SECRET));
        await(ask(ref(await(ours.connect(address(server)))), new Ask(1)));
        ScopeState state = server.env().snapshot().scopes().stream()
                .filter(scope -> scope.name().equals(SCOPE))
                .findFirst()
                .orElseThrow();
        assertTrue(state.ownSecret());
        assertEquals(ENDPOINT, state.endpoints().get(0).name());
        assertEquals(
                List.of(SCOPE),
                server.env().snapshot().peers().stream()
                        .map(peer -> peer.scope())
                        .toList());
        assertFalse(server.env().snapshot().toString().contains(SECRET.reveal()));
    }

    private static LifecycleRecorder register(RpcScope scope) {
        LifecycleRecorder diary = new LifecycleRecorder();
        scope.register(ENDPOINT, ContractMessages.PROTOCOL, Dispatch.shared(), diary);
        return diary;
    }

    private static EndpointRef ref(Peer peer) {
        return peer.endpoint(ENDPOINT, ContractMessages.PROTOCOL);
    }

    private static RpcAddress address(Party server) {
        return server.env().address().orElseThrow();
    }

    private List<String> words(LifecycleRecorder diary) throws Exception {
        return await(diary.untilSize(1)).stream()
                .map(line -> line.startsWith("connected") ? "connected" : line)
                .toList();
    }
}
