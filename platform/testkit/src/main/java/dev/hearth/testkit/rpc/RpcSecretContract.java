package dev.hearth.testkit.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.testkit.rpc.ContractMessages.Answer;
import dev.hearth.testkit.rpc.ContractMessages.Ask;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Tests on authentication that every message system must pass: both processes of a connection must know the secret of
 * the scope.
 */
public abstract class RpcSecretContract extends RpcContract {
    private static final String ENDPOINT = "diary";
    private static final String SCOPE = "app-1";
    private static final Secret SECRET = Secret.of("a secret long enough");
    private static final Secret OTHER_SECRET = Secret.of("another long secret");

    @Test
    void acceptsPeersThatProveTheSecretOfTheScope() throws Exception {
        Party server = listening();
        register(server.env().scope(SCOPE, Optional.of(SECRET)));
        RpcScope ours = connecting().env().scope(SCOPE, Optional.of(SECRET));
        assertEquals(new Answer(3), await(ask(ref(await(ours.connect(address(server)))), new Ask(3))));
    }

    @Test
    void refusesPeersWithAnotherSecretOrNone() throws Exception {
        Party server = listening();
        LifecycleRecorder inside = register(server.env().scope(SCOPE, Optional.of(SECRET)));
        assertNotAuthenticated(
                connecting().env().scope(SCOPE, Optional.of(OTHER_SECRET)).connect(address(server)));
        assertNotAuthenticated(connecting().env().scope(SCOPE, Optional.empty()).connect(address(server)));
        assertEquals(List.of("started"), words(inside), "a refused peer is never announced");
    }

    @Test
    void refusesServersThatCannotProveTheSecret() throws Exception {
        Party server = listening();
        LifecycleRecorder inside = register(server.env().scope(SCOPE, Optional.empty()));
        assertNotAuthenticated(
                connecting().env().scope(SCOPE, Optional.of(SECRET)).connect(address(server)));
        assertEquals(List.of("started"), words(inside));
    }

    @Test
    void hidesTheNamesOfScopesFromUnauthenticatedPeers() {
        assertNotAuthenticated(
                connecting().env().scope(SCOPE, Optional.of(SECRET)).connect(address(listening())));
    }

    private void assertNotAuthenticated(CompletionStage<Peer> connecting) {
        HearthException failure = failure(connecting);
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), failure.code(), failure::getMessage);
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("(expected: "), message);
        assertFalse(message.contains(SECRET.reveal()), message);
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
